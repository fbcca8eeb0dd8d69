import { z } from "zod";
import { MemoryStatus, MemoryType } from "../../../core/schema/memory.ts";
import type { Output } from "../../output.ts";
import { plainText } from "../../output.ts";
import type { Column } from "../../table.ts";

/** Fields of a memory that commands show, and all that they read of it. */
export const FIELDS =
  "id,content,created_at,ts_valid_start,fleet_id,agent_id,memory_type,status,weight,visibility,score,score_parts,why";

export const Row = z.object({
  id: z.string(),
  content: z.string(),
  created_at: z.string(),
  ts_valid_start: z.string().nullish(),
  fleet_id: z.string().nullish(),
  agent_id: z.string(),
  memory_type: MemoryType,
  status: MemoryStatus,
  score: z.number().nullish(),
  score_parts: z.record(z.string(), z.number()).nullish(),
  why: z.string().nullish(),
});
export type Row = z.infer<typeof Row>;

/** As much of an id as a table shows: it is unique among some millions of rows of one millisecond. */
const ID_SHOWN = 13;

/** A column of ids: short ones for people, whole ones in a pipe. */
export const idColumn = <T>(out: Output, title: string, idOf: (row: T) => string): Column<T> => ({
  title,
  value: (row) => (out.isTerminal ? idOf(row).slice(0, ID_SHOWN) : idOf(row)),
});

/** When a row was written; on a terminal "from" says that it is the day from which it holds. */
function whenOf(out: Output, { ts_valid_start, created_at }: Row): string {
  if (!ts_valid_start || !out.isTerminal) return out.date(ts_valid_start ?? created_at);
  return `from ${out.date(ts_valid_start)}`;
}

/** Columns of rows: short ids for people, whole ones in a pipe. */
export function columnsOf(out: Output, { scored = false } = {}): readonly Column<Row>[] {
  const status: Column<Row> = {
    title: "STATUS",
    value: (row) => (row.status === "active" && out.isTerminal ? "" : row.status),
  };
  return [
    idColumn(out, "ID", ({ id }) => id),
    ...(scored ? [{ title: "SCORE", value: ({ score }: Row) => (score ?? 0).toFixed(2), isRight: true }] : []),
    { title: "WHEN", value: (row) => whenOf(out, row) },
    { title: "TYPE", value: ({ memory_type }) => memory_type },
    status,
    { title: "PROJECT", value: ({ fleet_id }) => plainText(fleet_id ?? "") },
    { title: "TEXT", value: ({ content }) => plainText(content), isWide: true },
  ];
}
