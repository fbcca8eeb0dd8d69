import type { Part, Reading } from "../text/claims/reading.ts";

const SOME = /^(?:some|most|many|few|several|half|majority|minority|part|often|sometimes|usually|mostly|partly)$/;

/** Whether a part speaks of some of many only: what holds of them may not hold of others. */
export const isOfSome = ({ from, to, values }: Part, { tokens }: Reading): boolean =>
  values.some(({ dimension }) => dimension === "%") || tokens.slice(from, to).some(({ lower }) => SOME.test(lower));
