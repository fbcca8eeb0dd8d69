import { z } from "zod";
import { padTo, widthOf } from "../../src/cli/columns.ts";
import type { Measurement } from "./figures.ts";

type Cell = string | number;

/** Columns as wide as their widest cell; the first one to the left, numbers to the right. */
export function toTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ""))));
  const isNumeric = (column: number) => rows.some((row) => typeof row[column] === "number");
  return lines
    .map((line) =>
      line.map((cell, column) => padTo(cell, widths[column] ?? 0, { isRight: isNumeric(column) })).join("  "),
    )
    .map((line) => line.trimEnd())
    .join("\n");
}

/** The figures of a run, to read. */
export const figureTable = (figures: readonly Measurement[]): string =>
  toTable(
    ["figure", "target", "rows", "median", "p95", "max", "n"],
    figures.map(({ name, target, rows, value, p95, max, samples }) => [
      name,
      target,
      rows,
      value,
      p95 ?? "",
      max ?? "",
      samples,
    ]),
  );

const Earlier = z.object({
  figures: z.array(z.object({ name: z.string(), target: z.string(), rows: z.number(), value: z.number() })),
});

/** This run beside an earlier one's JSON file; a ratio below one is less than before. */
export async function comparison(file: string, figures: readonly Measurement[]): Promise<string> {
  const before = new Map(Earlier.parse(await Bun.file(file).json()).figures.map((figure) => [keyOf(figure), figure]));
  const rows = figures.flatMap((now) => {
    const then = before.get(keyOf(now));
    return then ? [[now.name, now.target, now.rows, then.value, now.value, (now.value / then.value).toFixed(2)]] : [];
  });
  return toTable(["figure", "target", "rows", "before", "now", "ratio"], rows);
}

const keyOf = ({ name, target, rows }: { name: string; target: string; rows: number }): string =>
  `${name}/${target}/${rows}`;
