import { isChangeVerb } from "../claims/lexicon/verbs.ts";
import type { Part } from "../claims/reading.ts";
import { relate } from "../claims/values/relate.ts";
import type { Alignment } from "./align.ts";
import type { Finding, RuleName } from "./finding.ts";

/** Rules that find their own way from one subject to another. */
const ACROSS_SUBJECTS: ReadonlySet<RuleName> = new Set(["holder", "exclusive", "withdrawn"]);
/** Rules of a value that was, is or will be; the others tell of a change themselves. */
const OF_VALUES: ReadonlySet<RuleName> = new Set(["value", "slot", "habit", "kind", "holder", "opposite"]);
const UNSURE: ReadonlySet<Part["modality"]> = new Set(["asked", "supposed", "reported"]);

/** Whether something speaks against a finding, however strong it is. */
export function isVetoed(pair: Alignment, found: Finding): boolean {
  return (
    UNSURE.has(pair.older.modality) ||
    UNSURE.has(pair.newer.modality) ||
    (pair.subject === "different" && !ACROSS_SUBJECTS.has(found.rule)) ||
    isOtherTime(pair, found) ||
    isOnlyPlanned(pair, found) ||
    isAdded(pair, found) ||
    isOtherDate(pair, found)
  );
}

/** A plan to change changes nothing yet, unless a plan is what it changes. */
const isOnlyPlanned = ({ older, newer }: Alignment, { rule }: Finding): boolean =>
  newer.modality === "planned" &&
  older.modality !== "planned" &&
  rule !== "withdrawn" &&
  rule !== "value" &&
  !newer.cues.change &&
  !newer.cues.correction;

const isAdded = ({ newer }: Alignment, { rule }: Finding): boolean =>
  newer.cues.addition && OF_VALUES.has(rule) && !newer.cues.change && !newer.cues.correction;

/** What was and what is: both true, unless the newer text tells of a change or corrects. */
function isOtherTime({ older, newer }: Alignment, { rule }: Finding): boolean {
  if (!OF_VALUES.has(rule) || newer.cues.correction) return false;
  if (newer.cues.past || older.cues.past) return true;
  const changes = newer.passive || isChangeVerb(newer.verb) || newer.predicate === "born";
  if (newer.tense === "past" && older.tense !== "past") return !changes;
  return older.tense === "past" && newer.tense === "present" && !older.passive;
}

/** Other dates beside the values that clash: each holds for its own time. */
function isOtherDate({ older, newer }: Alignment, { used }: Finding): boolean {
  const free = (part: Part, ranges: Finding["used"]["older"]) =>
    part.values.filter(
      ({ kind, from }) => kind === "date" && !ranges.some((range) => from >= range.from && from < range.to),
    );
  const dates = free(older, isWhole(older, used.older) ? [] : used.older);
  const others = free(newer, isWhole(newer, used.newer) ? [] : used.newer);
  return dates.some((date) => others.some((other) => relate(date, other) === "clash"));
}

const isWhole = ({ from, to }: Part, ranges: Finding["used"]["older"]): boolean =>
  ranges[0]?.from === from && ranges[0]?.to === to;
