import { createAuthor } from "../text.ts";
import type { Caller, Figure, Pair, Scene } from "./sides.ts";
import { forBoth, inTurns } from "./sides.ts";

export const CLIENTS = [1, 8, 64] as const;
const TURNS = 4;
const KNOWN = 50;
/** Unasked questions are made so many at a time. */
const FRESH = 200;
const [KNOWN_SEED, FRESH_SEED] = [23, 24];

/** Searches of everything: questions whose vectors are remembered, and questions never asked before. */
export async function compareSearches({ servers, seconds }: Scene): Promise<Figure[]> {
  const known = createAuthor(KNOWN_SEED).questions(KNOWN);
  const next = [cycle(known), cycle(known)] as const;
  const author = [createAuthor(FRESH_SEED), createAuthor(FRESH_SEED)] as const;
  const stock: Pair<string[]> = [[], []];
  const askKnown: Caller = (side) => servers[side].search(next[side]());
  const askNew: Caller = (side) => {
    if (stock[side].length === 0) stock[side].push(...author[side].questions(FRESH));
    return servers[side].search(stock[side].pop() ?? "");
  };
  const remember = () => forBoth((side) => askAll(known, (question) => servers[side].search(question)));
  const figures: Figure[] = [];
  // The compiler needs some calls to find out what is hot.
  await remember();
  for (const clients of CLIENTS) {
    await remember();
    const options = { clients, turns: TURNS, seconds };
    figures.push(...(await inTurns(`search, known question, ${named(clients)}`, options, askKnown)));
    figures.push(...(await inTurns(`search, new question, ${named(clients)}`, options, askNew)));
  }
  return figures;
}

export const named = (clients: number): string => (clients === 1 ? "1 client" : `${clients} clients`);

/** One after the other and over again. */
export function cycle<T>(list: readonly T[]): () => T {
  let at = 0;
  return () => {
    const item = list[at++ % list.length];
    if (item === undefined) throw new Error("There is nothing to go round.");
    return item;
  };
}

/** All of them, one after the other. */
export async function askAll<T>(list: readonly T[], ask: (item: T) => Promise<unknown>): Promise<void> {
  for (const item of list) await ask(item);
}
