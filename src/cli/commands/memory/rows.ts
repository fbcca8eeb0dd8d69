import { z } from "zod";
import { MemoryStatus, MemoryType } from "../../../schema/memory.ts";
import type { Cli } from "../../connect.ts";
import { plainText } from "../../output.ts";
import type { Column } from "../../table.ts";
import { UsageError } from "../../usage.ts";

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

/** Columns of rows: short ids for people, whole ones in a pipe. */
export function columnsOf({ out }: Cli, { scored = false } = {}): readonly Column<Row>[] {
  const status: Column<Row> = {
    title: "STATUS",
    value: (row) => (row.status === "active" && out.isTerminal ? "" : row.status),
  };
  return [
    { title: "ID", value: ({ id }) => (out.isTerminal ? id.slice(0, ID_SHOWN) : id) },
    ...(scored ? [{ title: "SCORE", value: ({ score }: Row) => (score ?? 0).toFixed(2), isRight: true }] : []),
    { title: "WHEN", value: (row) => out.date(row.ts_valid_start ?? row.created_at) },
    { title: "TYPE", value: ({ memory_type }) => memory_type },
    status,
    { title: "PROJECT", value: ({ fleet_id }) => plainText(fleet_id ?? "") },
    { title: "TEXT", value: ({ content }) => plainText(content), isWide: true },
  ];
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const Page = z.object({ items: z.array(z.object({ id: z.string() })), next_cursor: z.string().nullable() });
const PAGE = 500;
/** So many of the newest rows are looked through for an id that was cut short. */
const LOOKED_AT = 5_000;

/** The id that somebody wrote: whole, or its beginning as tables show it. Throws UsageError where none or several fit. */
export async function wholeId({ call, tenant_id }: Cli, written: string): Promise<string> {
  const asked = written.toLowerCase();
  if (UUID.test(asked)) return asked;
  if (!/^[0-9a-f-]{4,}$/.test(asked))
    throw new UsageError(`'${plainText(written)}' is no id of a memory. \`cairn list\` shows them.`);
  const found: string[] = [];
  let cursor: string | null = "";
  for (let seen = 0; cursor !== null && seen < LOOKED_AT; seen += PAGE) {
    const query = new URLSearchParams({ tenant_id, limit: String(PAGE), fields: "id", ...(cursor ? { cursor } : {}) });
    const page: z.infer<typeof Page> = Page.parse(await call("GET", `/api/v1/memories?${query}`));
    found.push(...page.items.flatMap(({ id }) => (id.startsWith(asked) ? [id] : [])));
    cursor = page.next_cursor;
  }
  const [id] = found;
  if (id !== undefined && found.length === 1) return id;
  throw new UsageError(
    found.length === 0
      ? `No memory's id begins with '${asked}'. \`cairn list\` shows them.`
      : `${found.length} ids begin with '${asked}': ${found.slice(0, 5).join(", ")}. Write more of it.`,
  );
}

/** Says which project a command worked in, and what said so. */
export function tellProject({ out, project }: Cli, none: string): void {
  out.note(project ? `Project ${plainText(project.name)} (${project.source}).` : none);
}

/** A whole number between bounds. Throws UsageError. */
export function countOf(
  flag: string,
  text: string | undefined,
  [least, most]: readonly [number, number],
): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isInteger(count) && count >= least && count <= most) return count;
  throw new UsageError(`${flag} is a whole number from ${least} to ${most}.`);
}

/** A number from 0 to 1. Throws UsageError. */
export function shareOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const share = Number(text);
  if (text.trim() !== "" && share >= 0 && share <= 1) return share;
  throw new UsageError(`${flag} is a number from 0 to 1.`);
}

/** A moment as people write it, in UTC unless they say otherwise; the server reads what it is. Throws UsageError. */
export function momentOf(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (Number.isNaN(time)) throw new UsageError(`${flag} is a date such as 2026-03-01 or 2026-03-01T09:00:00Z.`);
  return new Date(time).toISOString();
}
