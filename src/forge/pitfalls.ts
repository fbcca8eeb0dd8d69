import { splitSentences } from "../text/words/sentences.ts";
import type { Cluster } from "./cluster.ts";
import { outcomesOf } from "./outcome.ts";
import type { SegmentKind } from "./segments.ts";
import { segmentsOf } from "./segments.ts";
import { distinctBy } from "./significant-terms.ts";
import type { Trace } from "./traces.ts";
import type { Wording } from "./wording/wording.ts";
import { sentence } from "./wording/wording.ts";

/** Warnings that successful runs give, and reasons why others failed, that a skill lists. */
const WARNINGS_MAX = 4;
const REASONS_MAX = 3;
/** Pitfalls with more words in common than this are one. */
const SAME_FROM = 0.6;
/** Longest sentence that is taken for a reason, in characters. */
const LENGTH_MAX = 300;
const LEAD =
  /^(?:watch out|careful|be careful|caution|note|note to self|warning|important|gotcha|lesson|lesson learned|learned [^:]{3,40}|pitfall)\s*[:,-]\s*|^note that\s+/i;
/** Words with which people say why something went wrong. */
const CAUSE =
  /\b(?:because|since|as (?=the|it|we|i|nobody)|due to|without|had not|hadn['\u2019]t|did not|nobody|no one|missing|forgot|overlooked|skipped|lacked|wrong|instead of|was still|were still|pointed to|too (?:early|late|small|low|few)|no (?=backup|copy|test)|not (?=checked|tested|raised|throttled))\b/gi;
const CAUSES_COUNTED = 2;

/** What to beware of: warnings in successful runs, what went wrong in them and was mended, and why others failed. */
export function pitfallsOf({ members, failed }: Cluster, wording: Wording): string[] {
  const line = (text: string) => sentence(wording.general(text.replace(LEAD, "")));
  const told = (kind: SegmentKind) =>
    members.flatMap((member) =>
      segmentsOf(member).flatMap((segment) => (segment.kind === kind ? [line(segment.text)] : [])),
    );
  const distinct = (lines: readonly string[]) => distinctBy(lines, (text) => text, SAME_FROM);
  const warnings = distinct([...told("caution"), ...told("setback")]).slice(0, WARNINGS_MAX);
  const reasons = failed.flatMap(reasonOf).map((text) => `A run failed: ${line(text)}`);
  return [...warnings, ...distinct(reasons).slice(0, REASONS_MAX)];
}

/** The sentence of a failed run that says best what went wrong: one that gives a cause, before one that only says so. */
function reasonOf({ rows }: Trace): string[] {
  // Why the run was begun is no reason why it failed.
  const later = rows.length > 1 ? rows.slice(1) : rows;
  const sentences = later.flatMap(({ content }) => splitSentences(content)).filter((text) => text.length <= LENGTH_MAX);
  const rated = sentences.map((text) => {
    const isBad = outcomesOf(text).some(({ kind }) => kind === "setback" || kind === "end");
    const causes = Math.min(CAUSES_COUNTED, text.match(CAUSE)?.length ?? 0);
    return { text, score: causes + (isBad ? 1 : 0) };
  });
  const best = rated.toSorted((a, b) => b.score - a.score)[0];
  return best && best.score > 0 ? [best.text] : [];
}
