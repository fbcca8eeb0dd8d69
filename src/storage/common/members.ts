import { sha256 } from "../../core/kernel/hash.ts";
import type { JsonObject, JsonValue } from "../../core/kernel/json.ts";
import { canonicalJson } from "../../core/kernel/json.ts";

/** Canonical values longer than this are compared by hash. */
const VALUE_MAX = 200;
/** Among the types of members, the place of texts. */
export const TEXT_RANK = 4;
/** Characters of a text that the index sorts by; longer ones are read themselves where these are equal. */
export const SORTED_TEXT_MAX = 200;

/** What equal values have in common and unequal ones, of any type, have not: 1 is not "1", null is null. */
export const memberValue = (value: JsonValue): string => comparable(canonicalJson(value));

const comparable = (canonical: string): string => (canonical.length <= VALUE_MAX ? canonical : sha256(canonical));

/** One indexed member of a document. */
export interface Member {
  readonly name: string;
  readonly value: string;
  readonly rank: number;
  readonly number: number | null;
  readonly text: string | null;
}

/** What the index holds of a document. */
export const membersOf = (data: JsonObject): Member[] =>
  Object.entries(data).map(([name, value]) => {
    const canonical = canonicalJson(value);
    return { name, value: comparable(canonical), ...sortKey(value, canonical) };
  });

function sortKey(value: JsonValue, canonical: string): Pick<Member, "rank" | "number" | "text"> {
  if (value === null) return { rank: 0, number: null, text: null };
  if (typeof value === "boolean") return { rank: value ? 2 : 1, number: null, text: null };
  if (typeof value === "number") return { rank: 3, number: value, text: null };
  if (typeof value === "string") return { rank: TEXT_RANK, number: null, text: beginning(value) };
  return { rank: 5, number: null, text: beginning(canonical) };
}

/** What is cut may end in half of a pair, which no database takes. */
const beginning = (text: string): string => text.slice(0, SORTED_TEXT_MAX).toWellFormed();
