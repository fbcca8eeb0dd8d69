import type { EntityType } from "../../core/schema/entity.ts";
import { GIVEN_NAMES } from "./given-names.ts";
import {
  BEFORE_ORGANISATION,
  BEFORE_PLACE,
  EVENT_ENDS,
  GREAT_ORGANISATIONS,
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
import type { NameRun } from "./read-names.ts";
import type { Word } from "./words.ts";

/** Words before a name that tell of it. */
const NEAR = 4;
const PERSON_WORDS_MAX = 4;
const PROJECT_STARTS = new Set(["project", "operation"]);
const PROJECT_WORDS = new Set(["project", "initiative", "programme", "program"]);

/** A name as the rules look at it. */
interface Name {
  readonly run: NameRun;
  /** All words of the text. */
  readonly words: readonly Word[];
  readonly first: string;
  readonly last: string;
  /** The whole name in lower case, without points. */
  readonly whole: string;
  readonly isLong: boolean;
}

type Rule = (name: Name) => EntityType | null | false;

/** The first that knows decides: the words of the name before those around it. */
const RULES: readonly Rule[] = [
  ({ run }) => run.titled && "person",
  ({ run, isLong }) => run.quoted && isLong && "artifact",
  ({ first, run, words }) => (PROJECT_STARTS.has(first) || isAfter(words, run.from, PROJECT_STARTS)) && "project",
  ({ isLong, last, first }) =>
    isLong && (ORGANISATION_ENDS.has(last) || ORGANISATION_STARTS.has(first)) && "organization",
  ({ isLong, last }) => isLong && EVENT_ENDS.has(last) && "event",
  ({ isLong, last, first }) =>
    isLong && (PLACE_ENDS.has(last) || (PLACE_STARTS.has(first) && !GIVEN_NAMES.has(first))) && "location",
  ({ isLong, last }) => isLong && TECHNOLOGY_ENDS.has(last) && "technology",
  ({ isLong, whole, first }) =>
    (TECHNOLOGIES.has(whole) || (isLong && TECHNOLOGIES.has(first) && !GIVEN_NAMES.has(first))) && "technology",
  ({ whole }) => GREAT_ORGANISATIONS.has(whole) && "organization",
  ({ run, words }) => isFollowedBy(words, run.to, PROJECT_WORDS) && "project",
  ({ whole }) => ROLES.has(whole) && "role",
  ({ whole }) => LANGUAGES.has(whole) && "concept",
  ({ whole, run, words }) => PLACE_OR_PERSON.has(whole) && (isAfter(words, run.from, BEFORE_PLACE) ? "location" : null),
  ({ whole }) => PLACES.has(whole) && !PLACE_OR_PERSON.has(whole) && "location",
  ({ run, first, whole }) => isGivenName(run, first) && !PLACE_OR_PERSON.has(whole) && "person",
  ({ run, words }) => isAfter(words, run.from, RELATIONS) && "person",
  ({ run, words }) =>
    isAfter(words, run.from, BEFORE_ORGANISATION) && hasNear(words, run, ORGANISATION_VERBS) && "organization",
  ({ run, words }) => isAfter(words, run.from, BEFORE_PLACE) && hasNear(words, run, PLACE_VERBS) && "location",
  ({ run, words }) => run.words.length <= 2 && isFollowedBy(words, run.to, PERSON_VERBS) && isPersonal(run) && "person",
];

/** What kind of thing a name is of; `unknown` when nothing tells. */
export function typeOfName(run: NameRun, words: readonly Word[]): EntityType {
  const lower = run.words.map((word) => word.lower.replace(/\./g, ""));
  const [first = ""] = lower;
  const name = { run, words, first, last: lower.at(-1) ?? "", whole: lower.join(" "), isLong: lower.length > 1 };
  for (const rule of RULES) {
    const found = rule(name);
    if (found) return found;
  }
  return "unknown";
}

const isGivenName = (run: NameRun, first: string): boolean =>
  GIVEN_NAMES.has(first.split("-")[0] ?? "") && run.words.length <= PERSON_WORDS_MAX && run.words.every(isPlain);

const isPersonal = (run: NameRun): boolean => run.words.every((word) => isPlain(word) && !word.upper);

const isPlain = ({ text }: Word): boolean => !/[\d&+#]/.test(text);

const hasNear = (words: readonly Word[], { from }: NameRun, wanted: ReadonlySet<string>): boolean =>
  words.slice(Math.max(0, from - NEAR), from).some(({ lower }) => wanted.has(lower));

const isAfter = (words: readonly Word[], index: number, wanted: ReadonlySet<string>): boolean =>
  words[index]?.gap !== "sentence" && wanted.has(words[index - 1]?.lower ?? "");

const isFollowedBy = (words: readonly Word[], index: number, wanted: ReadonlySet<string>): boolean =>
  words[index]?.gap === "space" && wanted.has(words[index]?.lower ?? "");
