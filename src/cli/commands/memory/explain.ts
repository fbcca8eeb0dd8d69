import { z } from "zod";
import { padTo } from "../../columns.ts";
import type { Output } from "../../output.ts";
import { plainText } from "../../output.ts";
import type { Column } from "../../table.ts";
import type { Row } from "./rows.ts";

const BAR = 20;
const bar = (value: number): string => "▇".repeat(Math.round(Math.min(1, Math.abs(value)) * BAR));

const partsOf = ({ score_parts }: Row): [name: string, value: number][] =>
  Object.entries(score_parts ?? {}).filter(([, value]) => value !== 0);

/** A row for people: what it is, why it stands where it stands, and the parts of its score as bars. */
export function explained(out: Output, row: Row, place: number): string {
  const when = out.date(row.ts_valid_start ?? row.created_at);
  const facts = [row.score?.toFixed(2), when, row.memory_type, row.status, plainText(row.fleet_id ?? ""), row.id];
  const bars = partsOf(row).map(
    ([name, value]) =>
      `   ${padTo(name, 15)} ${padTo(value.toFixed(2), 6, { isRight: true })} ${out.style("cyan", bar(value))}`,
  );
  return [
    out.style("bold", `${place}. ${plainText(row.content)}`),
    `   ${facts.filter(Boolean).join("  ")}`,
    `   ${plainText(row.why ?? "")}`,
    ...bars,
  ]
    .map((line) => line.trimEnd())
    .join("\n");
}

/** The same for a pipe, beside the columns that a row has anyway. */
export const EXPLAINED: readonly Column<Row>[] = [
  { title: "WHY", value: ({ why }) => plainText(why ?? "") },
  {
    title: "PARTS",
    value: (row) =>
      partsOf(row)
        .map(([name, value]) => `${name}=${value}`)
        .join(" "),
  },
];

export const Diagnostic = z.object({
  retrieval_strategy: z.string(),
  all_candidates: z.array(z.unknown()).optional(),
  candidates_considered: z.int().optional(),
  excluded_below_min_score: z.int(),
  excluded_by_top_k_trim: z.int().optional(),
  search_params: z.looseObject({ took_ms: z.record(z.string(), z.number()).optional() }),
});

/** How a search went: what led it, what it weighed and left out, and how long its stages took. */
export function sayDiagnostic(diagnostic: z.infer<typeof Diagnostic>): string {
  const { retrieval_strategy, candidates_considered, excluded_below_min_score, excluded_by_top_k_trim } = diagnostic;
  const left = [
    excluded_by_top_k_trim ? `${excluded_by_top_k_trim} beyond --top` : "",
    excluded_below_min_score ? `${excluded_below_min_score} below --min-score` : "",
  ].filter(Boolean);
  const took = Object.entries(diagnostic.search_params.took_ms ?? {}).map(
    ([name, ms]) => `${name} ${ms.toFixed(1)} ms`,
  );
  return [
    `Strategy ${retrieval_strategy}; ${candidates_considered ?? 0} weighed${left.length > 0 ? `, left out ${left.join(", ")}` : ""}.`,
    took.length > 0 ? `Took ${took.join(", ")}.` : "",
  ]
    .filter(Boolean)
    .join(" ");
}
