import type { Part } from "../text/claims/reading.ts";
import { isBinary, type State } from "../text/lexicon/states.ts";

/** "Not open" is closed where there are two positions only. */
export function positionOf({ negated, denials }: Part, { group, position, from, to }: State): number | null {
  // "Can't stand" is a state with its own negation.
  const own = denials.filter((at) => at >= from && at < to).length;
  if (negated === (own % 2 === 1)) return position;
  return isBinary(group) ? 1 - position : null;
}
