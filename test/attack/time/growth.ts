/** Units that hostile texts repeat: each class of characters, and what begins or parts something in some format. */
export const UNITS: readonly string[] =
  " |\n|\t|\r|\r\n|a|A|0|-|_|.|/|:|@|\"|'|`|(|[|{|<|#|*|\\|&|%|=|,|;|~|+|$|!|?|é|\u0301|😀|漢|\u200b|\u00a0|a.|a-|a |a@|a/|a\n|1,|1.|0-|0:|0 |Aa |aA|A.|--|- |> |<!--|<a |<a>|[a](|](|![|http://|**a|_a_b|&amp;|x=1;|\"a|'s |@/|hardly |. |, |? "
    .split("|")
    .concat("|", "||", "a|b\n");

/** How many times as long as a short text the other one is. */
const TIMES = 4;
/** Milliseconds of a short and of a long text below which they tell nothing: the processor's time is counted in such steps. */
const [SHORT_MS, LONG_MS] = [2, 60];
/** The growth from which time is no longer in proportion: in proportion it is 4, by the square 16, and machines are noisy. */
const GROWTH_MAX = 12;
const ROUNDS = 3;

/** Whether the time of a work on a text grows as its length does; told by the processor's time, whatever else runs here. */
export function growsOnly(
  work: (text: string) => unknown,
  textOf: (length: number) => string,
  length: number,
): boolean {
  const short = textOf(length);
  const startedAt = performance.now();
  work(short);
  if (performance.now() - startedAt < SHORT_MS) return true;
  return quickest(work, textOf(length * TIMES)) < Math.max(LONG_MS, GROWTH_MAX * quickest(work, short));
}

function quickest(work: (text: string) => unknown, text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    work(text);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

/** A unit again and again, up to a length, between a beginning and an end. */
export const repeated =
  (unit: string, begin = "", end = "") =>
  (length: number): string =>
    begin + unit.repeat(Math.ceil(length / unit.length)) + end;
