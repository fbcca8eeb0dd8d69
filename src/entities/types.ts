import type { EntityType } from "../schema/entity.ts";
import { GIVEN_NAMES } from "./given-names.ts";
import {
  BEFORE_PLACE,
  EVENT_ENDS,
  GREATER_ORGANISATIONS,
  LANGUAGES,
  ORGANISATION_ENDS,
  ORGANISATION_STARTS,
  ORGANISATION_VERBS,
  PERSON_VERBS,
  PLACE_ENDS,
  PLACE_OR_PERSON,
  PLACE_STARTS,
  PLACE_VERBS,
  PLACES,
  RELATIONS,
  ROLES,
  TECHNOLOGIES,
  TECHNOLOGY_ENDS,
} from "./lexicon.ts";
import type { NameRun } from "./names.ts";
import type { Word } from "./words.ts";

/** What kind of thing a name is of: by the words of the name, else by those around it; `unknown` when nothing tells. */
export function typeOfName(run: NameRun, words: readonly Word[]): EntityType {
  if (run.titled) return "person";
  return typeByWords(run, words) ?? typeByNeighbours(run, words) ?? "unknown";
}

function typeByWords({ words: own, quoted, from, to }: NameRun, words: readonly Word[]): EntityType | null {
  const first = own[0]?.lower ?? "";
  const last = own.at(-1)?.lower ?? "";
  const whole = own.map(({ lower }) => lower.replace(/\./g, "")).join(" ");
  if (quoted && own.length > 1) return "artifact";
  if (first === "project" || first === "operation") return "project";
  if (own.length > 1) {
    if (ORGANISATION_ENDS.has(last) || ORGANISATION_STARTS.has(first)) return "organization";
    if (EVENT_ENDS.has(last)) return "event";
    if (PLACE_ENDS.has(last) || (PLACE_STARTS.has(first) && !GIVEN_NAMES.has(first))) return "location";
    if (TECHNOLOGY_ENDS.has(last)) return "technology";
  }
  if (TECHNOLOGIES.has(whole) || (own.length > 1 && TECHNOLOGIES.has(first) && !GIVEN_NAMES.has(first))) return "technology";
  if (GREATER_ORGANISATIONS.has(whole)) return "organization";
  if (isFollowedBy(words, to, PROJECT)) return "project";
  if (ROLES.has(whole)) return "role";
  if (LANGUAGES.has(whole)) return "concept";
  if (PLACE_OR_PERSON.has(whole)) return isAfter(words, from, BEFORE_PLACE) ? "location" : null;
  if (PLACES.has(whole) || COUNTRIES.has(whole)) return "location";
  return GIVEN_NAMES.has(first.split("-")[0] ?? "") && own.length <= PERSON_WORDS_MAX && own.every(isPersonal) ? "person" : null;
}

const COUNTRIES = new Set(["us", "uk", "eu", "uae", "usa"]);
const PROJECT = new Set(["project", "initiative", "programme", "program"]);
const PERSON_WORDS_MAX = 4;
const isPersonal = ({ text }: Word): boolean => !/[\d&+#]/.test(text);

function typeByNeighbours({ words: own, from, to }: NameRun, words: readonly Word[]): EntityType | null {
  if (isAfter(words, from, RELATIONS)) return "person";
  const near = words.slice(Math.max(0, from - NEAR), from).map(({ lower }) => lower);
  const before = words[from - 1]?.lower ?? "";
  const joined = near.some((word) => ORGANISATION_VERBS.has(word)) && /^(?:at|for|by|from|joined|acquired|founded)$/.test(before);
  if (joined) return "organization";
  if (BEFORE_PLACE.has(before) && near.some((word) => PLACE_VERBS.has(word))) return "location";
  return own.length <= 2 && isFollowedBy(words, to, PERSON_VERBS) && own.every(isPersonal) && !own.some(({ upper }) => upper)
    ? "person"
    : null;
}
/** Words before a name that tell of it. */
const NEAR = 4;

const isAfter = (words: readonly Word[], at: number, wanted: ReadonlySet<string>): boolean =>
  words[at]?.gap !== "sentence" && wanted.has(words[at - 1]?.lower ?? "");

const isFollowedBy = (words: readonly Word[], at: number, wanted: ReadonlySet<string>): boolean =>
  words[at]?.gap === "space" && wanted.has(words[at]?.lower ?? "");
