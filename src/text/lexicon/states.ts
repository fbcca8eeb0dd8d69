import { once } from "../../core/kernel/once.ts";
import { type Token, tokenize } from "../claims/lexer.ts";
import { KINDS, LADDERS, OPPOSITES } from "./state-groups.ts";

/** How the positions of a group shut each other out. */
export type GroupClass = "ladder" | "opposite" | "kind";

/** A state that a text names. */
export interface State {
  readonly group: number;
  readonly position: number;
  readonly group_class: GroupClass;
  /** Counts only as what something is said to be. */
  readonly predicative: boolean;
  /** Tokens it is made of. */
  readonly from: number;
  readonly to: number;
}

interface Entry {
  readonly stems: readonly string[];
  readonly group: number;
  readonly position: number;
  readonly group_class: GroupClass;
  readonly predicative: boolean;
}

interface Lexicon {
  /** Entries by the stem of their first word. */
  readonly index: ReadonlyMap<string, readonly Entry[]>;
  /** What the positions of each group are called, by its number: their first words. */
  readonly names: readonly (readonly string[])[];
}

const lexicon = once(readLexicon);

function readLexicon(): Lexicon {
  const index = new Map<string, Entry[]>();
  const names: string[][] = [];
  for (const [group_class, text] of [
    ["ladder", LADDERS],
    ["opposite", OPPOSITES],
    ["kind", KINDS],
  ] as const) {
    for (const line of text.trim().split("\n")) {
      const positions = line.split("|");
      const group = names.push(positions.map((words) => (words.split(",")[0] ?? "").replace("~", "").trim())) - 1;
      for (const [position, words] of positions.entries())
        for (const [first, entry] of entriesOf(words, { group, position, group_class }))
          index.set(first, [...(index.get(first) ?? []), entry]);
    }
  }
  return { index, names };
}

const wordsOf = (text: string): Token[] => tokenize(text).filter(({ text: word }) => word !== "-");

function entriesOf(words: string, at: Pick<Entry, "group" | "position" | "group_class">): [string, Entry][] {
  return words.split(",").flatMap((written): [string, Entry][] => {
    const phrase = written.trim();
    const stems = wordsOf(phrase.replace("~", "")).map((token) => token.stem);
    const [first] = stems;
    return first === undefined ? [] : [[first, { ...at, stems, predicative: phrase.startsWith("~") }]];
  });
}

/** Sets up the word list before the first text is read, which else does it. */
export const prepareStates = (): void => void lexicon();

/** Whether a group has two positions only, so that not being in one is being in the other. */
export const isBinary = (group: number): boolean => lexicon().names[group]?.length === 2;

/** What a position is called: its first word, which stands for all of the position. */
export const stateName = (group: number, position: number): string => lexicon().names[group]?.[position] ?? "";

/** The states that a range of tokens names; of two entries of one group at a place, the longer. */
export function readStates(tokens: readonly Token[], from: number, to: number): State[] {
  const { index } = lexicon();
  const states: State[] = [];
  for (let tokenIndex = from; tokenIndex < to; tokenIndex++) {
    for (const entry of index.get(tokens[tokenIndex]?.stem ?? "") ?? []) {
      const end = matchEnd(tokens, entry.stems, { index: tokenIndex, to });
      if (end === null) continue;
      const { group, position, group_class, predicative } = entry;
      states.push({ group, position, group_class, predicative, from: tokenIndex, to: end });
    }
  }
  return states.filter((state) => !states.some((other) => covers(other, state)));
}

/** Hyphens between the words of an entry do not matter. */
function matchEnd(
  tokens: readonly Token[],
  stems: readonly string[],
  { index, to }: { readonly index: number; readonly to: number },
): number | null {
  let next = index;
  for (const [i, stem] of stems.entries()) {
    if (i > 0 && tokens[next]?.text === "-") next++;
    if (next >= to || tokens[next]?.stem !== stem) return null;
    next++;
  }
  return next;
}

const covers = (other: State, state: State): boolean =>
  other.group === state.group &&
  other !== state &&
  other.from <= state.from &&
  other.to >= state.to &&
  other.to - other.from > state.to - state.from;
