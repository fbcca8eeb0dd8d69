import type { ParsedClause, ParsedText } from "../../text/claims/parse.ts";
import { isChangeVerb, predicateSet } from "../../text/lexicon/verbs.ts";
import { relate } from "../../text/values/relate.ts";
import type { Value } from "../../text/values/value.ts";
import { stems } from "../../text/words/stem.ts";
import type { Alignment, Side } from "../align.ts";
import type { Rule } from "../rule-match.ts";
import { matchOf } from "../rule-match.ts";

/** From this coverage on the verbs may differ: "lead times are", "quotes a lead time of". */
const COVERAGE_MIN = 0.75;
/** The same where what is counted is named, and for durations. */
const COUNTED_COVERAGE_MIN = 0.6;
/** The same for weights, lengths, sizes and temperatures, of which a thing has one. */
const PHYSICAL_COVERAGE_MIN = 0.5;
const PHYSICAL: ReadonlySet<string> = new Set(["g", "m", "l", "m2", "byte", "bps", "deg", "w", "v", "hz"]);

/** Same subject, same attribute, another number, date, time, duration, price or version. */
export const valueRule: Rule = (pair) => {
  const { older, newer } = pair;
  if (older.negated !== newer.negated && !newer.cues.change) return null;
  const said = older.values.filter((value) => !isLabel(value, older) && !isRestated(value, pair.newer_text));
  const others = newer.values.filter(
    (value) => (!isLabel(value, newer) || older.latest) && !isRestated(value, pair.older_text),
  );
  for (const value of said) {
    const other = others.find((one) => isClash(pair, value, one) && isSameAttribute(pair, value, one));
    if (other !== undefined) return matchOf(pair, "value", { older: [value], newer: [other] });
  }
  return null;
};

/** "12 members" and "the membership is 15": the one counts what the other only names. */
function isClash(pair: Alignment, older: Value, newer: Value): boolean {
  if (relate(older, newer) === "clash") return true;
  if (older.kind !== "number" || newer.kind !== "number" || older.amount === newer.amount) return false;
  const names = (part: ParsedClause, { dimension, counted }: Value, bare: Value) =>
    bare.dimension === "" && dimension !== "" && part.words.some(({ key }) => counted?.includes(key));
  return names(pair.newer, older, newer) || names(pair.older, newer, older);
}

/** Numbers within the subject name it: "ticket 12". */
const isLabel = ({ kind, from }: Value, { subject, verbs, latest }: ParsedClause): boolean =>
  verbs.to > verbs.from &&
  !latest &&
  (kind === "version" || kind === "date") &&
  from >= subject.from &&
  from < subject.to;

/** The other part gives the same value, in this form or another. */
const isRestated = (value: Value, { parts }: ParsedText): boolean =>
  parts
    .flatMap(({ values }) => values)
    .some((other) => {
      const relation = relate(value, other);
      const isBare =
        value.kind === "number" &&
        other.kind === "number" &&
        other.amount === value.amount &&
        (value.dimension === "" || other.dimension === "");
      return relation === "equal" || relation === "compatible" || isBare;
    });

function isSameAttribute(pair: Alignment, older: Value, newer: Value): boolean {
  if (isOfOther(pair, older, newer)) return false;
  if (pair.subject === "part" && !pair.newer.changes && !pair.older.latest) return false;
  const isMoment = older.kind === "date" || older.kind === "time";
  if (pair.predicate !== "other") return !isMoment || isSameMoment(pair);
  // Other verbs may still say the same of it: "lead times are", "quotes a lead time of".
  if (isMoment || older.kind === "frequency" || older.dimension !== newer.dimension) return false;
  return pair.coverage >= coverageMin(older, newer);
}

/** How many words must be shared where the verbs differ: fewer, the more surely the values measure the same. */
function coverageMin(older: Value, newer: Value): number {
  if (PHYSICAL.has(older.dimension ?? "")) return PHYSICAL_COVERAGE_MIN;
  const isCounted = older.counted !== undefined && newer.counted !== undefined;
  return isCounted || older.kind === "duration" ? COUNTED_COVERAGE_MIN : COVERAGE_MIN;
}

/** "64 GB of memory" and "2 TB of disk": amounts of two things. */
function isOfOther(pair: Alignment, older: Value, newer: Value): boolean {
  const thing = (side: Side, { from, to }: Value): string | null => {
    const tokens = pair[`${side}_text`].tokens;
    const index = tokens[to]?.lower === "of" ? to + 1 : -1;
    // "A timeout of 21 seconds" is of the timeout.
    if (index < 0 && tokens[from - 1]?.lower === "of") return tokens[from - 2]?.stem ?? null;
    return pair[side].words.find((word) => word.index === index || word.index === index + 1)?.key ?? null;
  };
  const [one, other] = [thing("older", older), thing("newer", newer)];
  return one !== null && other !== null && one !== other;
}

/** Start, end or neither; a date of an event that may happen again is no attribute. */
function isSameMoment(pair: Alignment): boolean {
  const [older, newer] = [momentOf(pair, "older"), momentOf(pair, "newer")];
  if (isRepeatable(pair)) return false;
  return older === newer || older === "any" || newer === "any";
}

const END_WORDS =
  /^(?:until|till|deadline|due|expire[sd]?|expiry|expiration|end|ends|ended|closes|closing|by|done|finished|completed?|over)$/;
const START_WORDS = /^(?:from|start|starts|started|since|begins?|opens?|opening)$/;

function momentOf(pair: Alignment, side: Side): string {
  const part = pair[side];
  const tokens = pair[`${side}_text`].tokens.slice(part.from, part.to);
  if (part.predicate === "ends" || tokens.some(({ lower }) => END_WORDS.test(lower))) return "end";
  if (reschedules(part)) return "any";
  if (part.predicate === "starts" || tokens.some(({ lower }) => START_WORDS.test(lower))) return "start";
  if (part.predicate === "arrives") return "arrival";
  return "start";
}

const reschedules = ({ verb, changes }: ParsedClause): boolean =>
  changes && (!isChangeVerb(verb) || RESCHEDULING.has(verb));

const RESCHEDULING: ReadonlySet<string> = new Set(
  stems(`move slip slide push shift postpone delay reschedule rebook adjourn defer extend change update correct revise bump
    shorten transfer switch set reset amend adjust`),
);

/** Things that happen once, so that two dates of one are at odds. */
const ONCE: ReadonlySet<string> = new Set([
  "be",
  ...predicateSet(
    "born die marry found sign launch release publish graduate establish inaugurate discover invent open buy sell join elect issue build adopt register",
  ),
]);

/** "We met in May" and "we met in June" are two meetings; "the audit started" and "the audit was done" two events. */
const isRepeatable = ({ older, newer, coverage }: Alignment): boolean => {
  if (older.tense !== "past") return false;
  if (newer.tense === "future") return true;
  return (
    newer.tense === "past" &&
    (!ONCE.has(older.predicate) || older.predicate !== newer.predicate || coverage < COVERAGE_MIN)
  );
};
