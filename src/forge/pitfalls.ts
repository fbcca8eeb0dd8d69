import type { Cluster } from "./cluster.ts";
import { passagesOf } from "./passages.ts";
import { rarityOf, sharedWords, tellingRoots } from "./telling.ts";
import type { Trace } from "./traces.ts";
import type { Wording } from "./wording.ts";
import { sentence } from "./wording.ts";

const PITFALLS_MAX = 6;
/** Words of a setback below which the sentence before it says what happened. */
const TELLING_MIN = 4;
const SAME_FROM = 0.6;
const LEAD =
  /^(?:watch out|careful|be careful|caution|note|warning|important|gotcha|lesson|lesson learned|pitfall)\s*[:,-]\s*|^note that\s+/i;

/** What to beware of: warnings in successful runs, what went wrong in them and was mended, and why others failed. */
export function pitfallsOf({ members, failed }: Cluster, wording: Wording): string[] {
  const own = members.flatMap(passagesOf);
  const line = (text: string) => sentence(wording.general(text));
  const warnings = own.filter(({ kind }) => kind === "caution").map(({ text }) => line(text.replace(LEAD, "")));
  const mended = own.filter(({ kind }) => kind === "setback").map(({ text }) => line(text));
  const reasons = failed.flatMap(reasonOf).map((text) => `A run failed: ${line(text)}`);
  return distinct([...warnings, ...mended, ...reasons]).slice(0, PITFALLS_MAX);
}

/** Where a failed run says what went wrong: its last setback, after the sentence before when that says more. */
function reasonOf(trace: Trace): string[] {
  const passages = passagesOf(trace);
  const at = passages.findLastIndex(({ kind }) => kind === "setback");
  const [before, setback] = [passages[at - 1], passages[at]];
  if (!setback) return [];
  const isPart =
    before?.kind === "setback" || (before?.kind === "remark" && tellingRoots(setback.text).size < TELLING_MIN);
  return [before && isPart ? `${before.text} ${setback.text}` : setback.text];
}

function distinct(lines: readonly string[]): string[] {
  const bags = lines.map(tellingRoots);
  const rarity = rarityOf(bags);
  const isKept = (i: number) =>
    !bags.slice(0, i).some((bag) => sharedWords(bag, bags[i] ?? new Set(), rarity) >= SAME_FROM);
  return lines.filter((_, i) => isKept(i));
}
