import { normalized } from "../core/kernel/text.ts";
import type { ClaimKey } from "../core/ports/contradiction-store.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import { readValues } from "../text/values/read.ts";
import { relate } from "../text/values/relate.ts";

/** What a caller states of a memory beside its text: subject, predicate, object. */
type Stated = Pick<StoredMemory, "subject_entity_id" | "predicate" | "object_value">;

/** What two stated triples are to each other: of one attribute with one value or two, of two subjects, or not to be compared. */
export type TripleRelation = "same" | "clash" | "other_subject" | "unrelated";

/** Predicates that hold of one subject with many objects at once; a setting adds others. */
const MANY_VALUED =
  `speaks likes dislikes loves hates enjoys knows member_of belongs_to uses has owns plays visited has_visited
  supports contains includes works_with friend_of parent_of child_of sibling_of tagged interested_in skilled_in allergic_to
  depends_on related_to mentions attends attended subscribes_to language languages hobby hobbies skill skills tag tags alias
  aliases email emails phone phones ingredient ingredients contact contacts child children has_child pet pets has_pet friend friends
  sibling siblings has_skill works_on manages programming_language programming_languages`.split(/\s+/);

/** A predicate as it is compared: `Lives in`, `lives-in`, `livesIn` and `lives_in` are one, and so are `IPAddress` and `ip_address`. */
export const predicateKey = (predicate: string): string =>
  normalized(predicate, "NFKC")
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, "_")
    .toLowerCase()
    .replace(/[\s_-]+/g, "_")
    .replace(/^_|_$/g, "");

/** By what rows that state something of the same find each other; null where nothing is stated. */
export function statedClaim({ subject_entity_id, predicate }: Stated): ClaimKey | null {
  const key = predicate === null ? "" : predicateKey(predicate);
  return subject_entity_id === null || key === "" ? null : { subject_key: subject_entity_id, predicate: key };
}

/** Which predicates hold several values at once: the known ones, and those that a setting names. */
export function manyValuedPredicates(further: readonly string[]): ReadonlySet<string> {
  return new Set([...MANY_VALUED, ...further.map(predicateKey)]);
}

/** What was stated, and the moment that "tomorrow" in its object is told from. */
export interface StatedAt {
  readonly memory: Stated;
  readonly at_ms: number;
}

/** Compares what two callers stated, whatever their texts say. */
export function relateTriples(
  { memory: older, at_ms: older_ms }: StatedAt,
  { memory: newer, at_ms: newer_ms }: StatedAt,
  manyValued: ReadonlySet<string>,
): TripleRelation {
  const [one, other] = [statedClaim(older), statedClaim(newer)];
  if (one === null || other === null) return "unrelated";
  if (one.subject_key !== other.subject_key) return "other_subject";
  if (one.predicate !== other.predicate || older.object_value === null || newer.object_value === null)
    return "unrelated";
  if (manyValued.has(one.predicate)) return "same";
  const isSame = isSameObject(
    { text: older.object_value, at_ms: older_ms },
    { text: newer.object_value, at_ms: newer_ms },
  );
  return isSame ? "same" : "clash";
}

const TRUTH: ReadonlyMap<string, string> = new Map(
  [
    ["true", "yes", "on", "enabled"],
    ["false", "no", "off", "disabled"],
  ].flatMap(([name = "", ...others]) => others.map((word) => [word, name] as const)),
);

interface Told {
  readonly text: string;
  readonly at_ms: number;
}

/** Whether two objects are one value: whatever their case, marks, notation and units, and where one only says more of it ("Braga", "Braga, Portugal"). */
function isSameObject(a: Told, b: Told): boolean {
  const [one, other] = [folded(a.text), folded(b.text)];
  const [first, second] = isCode(one) || isCode(other) ? [null, null] : [wholeValue(a), wholeValue(b)];
  const relation = first && second ? relate(first, second) : "apart";
  if (relation !== "apart") return relation !== "clash";
  return one === other || one.startsWith(`${other}, `) || other.startsWith(`${one}, `);
}

/** Digits that name something and count nothing: of more places than a number keeps exactly, or with a leading zero. */
const isCode = (text: string): boolean => /^(?:0\d+|\d{16,})$/.test(text);

/** Quotes, points and spaces around an object say nothing of it. */
const AROUND = new Set(` "'\`\u2018\u2019\u201c\u201d.!`);

function folded(object: string): string {
  const text = normalized(object, "NFKC").toLowerCase().replace(/\s+/g, " ");
  let [start, end] = [0, text.length];
  while (start < end && AROUND.has(text.charAt(start))) start++;
  while (end > start && AROUND.has(text.charAt(end - 1))) end--;
  const plain = text.slice(start, end).replace(/^(?:(?:the|an?) |\+(?=[\d.]+$))/, "");
  return TRUTH.get(plain) ?? plain;
}

/** Words before a value that it may have with it. */
const BEFORE_VALUE =
  /^(?:at|on|in|by|the|about|around|approximately|roughly|circa|ca|nearly|almost|some|least|most|up|to|over|under|~)$/;

/** The value that an object is as a whole, with what it counts; null for any other text. */
function wholeValue({ text, at_ms }: Told) {
  const { tokens, values } = readValues(text, at_ms);
  const [value, further] = values;
  if (!value || further !== undefined) return null;
  const isLed = tokens.slice(0, value.from).every(({ lower }) => BEFORE_VALUE.test(lower));
  return isLed && value.to + (value.counted?.length ?? 0) === tokens.length ? value : null;
}
