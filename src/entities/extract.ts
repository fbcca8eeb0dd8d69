import { FULL_STOPS } from "../core/kernel/text.ts";
import type { EntityType } from "../core/schema/entity.ts";
import { typeOfName } from "../text/names/entity-types.ts";
import type { Mention, MentionRole, SameName } from "../text/names/mention.ts";
import { nameKey, nameWords } from "../text/names/name-key.ts";
import { readPatterns } from "../text/names/patterns.ts";
import type { NameRun } from "../text/names/read-names.ts";
import { readNames } from "../text/names/read-names.ts";
import { readSameNames } from "../text/names/same-name.ts";
import { isSpeaker } from "../text/names/speaker.ts";
import { readWords } from "../text/names/words.ts";
import { speakerLabel } from "../text/words/speaker-label.ts";

/** Things read of one text. */
export const MENTIONS_MAX = 32;
/** Longest name that is kept, in characters. */
const NAME_MAX = 120;

export interface Extraction {
  /** In the order of the text, each thing once. */
  readonly mentions: readonly Mention[];
  readonly same: readonly SameName[];
}

/** Reads which things a text names, from its words alone. */
export function extractEntities(text: string): Extraction {
  const label = speakerLabel(text);
  const from = label?.end ?? 0;
  const { found, rest } = readPatterns(text);
  const words = readWords(rest, from);
  const runs = readNames(words, { text: rest, turn: label !== null });
  const named = runs.map(
    (run): Draft => ({ ...spanOf(run, text), entity_type: typeOfName(run, words), sure: run.sure }),
  );
  const speaker: Draft[] =
    label && isSpeaker(label.name)
      ? [{ name: label.name, entity_type: "person", start: 0, end: label.name.length, sure: true }]
      : [];
  const drafts = [...speaker, ...found.map((one) => ({ ...one, sure: true })), ...named];
  const same = readSameNames(runs, rest);
  const aliases = new Set(same.map(({ alias_key }) => alias_key));
  const merged = withoutParts(mergeEqual(drafts).filter(({ key }) => !aliases.has(key))).slice(0, MENTIONS_MAX);
  const roleOf = rolesIn(text, from, merged);
  return { mentions: merged.map((one): Mention => ({ ...one, role: roleOf(one) })), same };
}

interface Draft {
  readonly name: string;
  readonly entity_type: EntityType;
  readonly start: number;
  readonly end: number;
  readonly sure: boolean;
}
type Keyed = Draft & { readonly key: string };

function spanOf({ words }: NameRun, text: string): Pick<Draft, "name" | "start" | "end"> {
  const start = words[0]?.start ?? 0;
  const last = words.at(-1);
  const end = last ? last.start + last.text.length : start;
  return { name: text.slice(start, end), start, end };
}

/** Each thing once, where it is named first; what any place tells of it holds. */
function mergeEqual(drafts: readonly Draft[]): Keyed[] {
  const byKey = new Map<string, Keyed>();
  for (const draft of drafts) {
    const key = nameKey(draft.name);
    if (key === "" || draft.name.length > NAME_MAX) continue;
    const known = byKey.get(key);
    if (!known) byKey.set(key, { ...draft, key });
    else byKey.set(key, { ...merge(known, draft), key });
  }
  return [...byKey.values()].sort((a, b) => a.start - b.start);
}

function merge(a: Draft, b: Draft): Draft {
  const first = a.start <= b.start ? a : b;
  const entity_type = a.entity_type === "unknown" ? b.entity_type : a.entity_type;
  return { ...first, entity_type, sure: a.sure || b.sure };
}

/** "Anna" beside "Anna Keller" is no one else. */
function withoutParts(drafts: readonly Keyed[]): Keyed[] {
  const parts = new Set(
    drafts.filter(isPersonal).flatMap(({ name }) => {
      const words = nameWords(name);
      return words.length > 1 ? [words[0], words.at(-1)] : [];
    }),
  );
  return drafts.filter((draft) => !(isPersonal(draft) && parts.has(draft.key)));
}
const isPersonal = ({ entity_type }: Draft): boolean => entity_type === "person" || entity_type === "unknown";

/** What may stand before the subject of a sentence. */
const BEFORE_SUBJECT = /^\s*(?:(?:the|a|an|our|my|your|their|his|her|this|that|both|new|old)\s+)*["'“‘`(]*$/i;
const FIRST_PERSON = /\b(?:I|I'm|I've|I'd|I'll|my|we|we're|we've|our|me)\b/;
const SENTENCE_END = new RegExp(`[.!?]\\s|[\\n${FULL_STOPS}]`);

/** The subject of the first sentence, what follows it there, and all the rest. Who speaks of themselves is the subject. */
function rolesIn(text: string, from: number, drafts: readonly Keyed[]): (one: Keyed) => MentionRole {
  const spoken = drafts.filter(({ start }) => start >= from);
  const first = spoken.find(({ start }) => BEFORE_SUBJECT.test(text.slice(from, start)));
  const speaker = drafts.find(({ start }) => start < from);
  const subject = first ?? (FIRST_PERSON.test(text.slice(from)) ? speaker : undefined);
  const object =
    subject &&
    spoken.find((one) => one.start > subject.start && isObject(text.slice(Math.max(from, subject.end), one.start)));
  return (one) => {
    if (one === subject) return "subject";
    return one === object ? "object" : "mentioned";
  };
}

/** A verb stands between subject and object, and no sentence ends there. */
const isObject = (between: string): boolean =>
  /[a-z]{2}/.test(between.replace(/\b(?:and|or)\b/g, "")) && !SENTENCE_END.test(between);
