import { systemClock } from "../../../core/kernel/clock.ts";
import type { Conflict } from "../../../core/schema/observing/conflict.ts";
import { ConflictPage } from "../../../core/schema/observing/conflict.ts";
import { POSSIBLE } from "../../../core/schema/observing/possible-change.ts";
import type { Cli } from "../../connect.ts";
import { plainText } from "../../output.ts";
import { readerOf, seenBy, tellScope, withProject } from "../../scope.ts";
import type { Column } from "../../table.ts";
import { idColumn } from "./rows.ts";

/** What was retired longer ago is shown when all is asked for. */
const LATELY_MS = 30 * 86_400_000;
const PAGE = 200;

/**
 * Lists what the detector found: what waits for a decision and what was retired lately; `isAll` also what was retired long
 * ago, and what somebody has decided.
 */
export async function listConflicts(cli: Cli, isAll: boolean): Promise<void> {
  const { out } = cli;
  const { items, ...counts } = await found(cli, isAll ? "all" : "open");
  const shown = isAll ? items : items.filter(isPressing);
  if (out.isJson) return out.json(withProject(cli, { items: shown, ...counts }));
  out.table(shown, columnsOf(cli, isAll));
  out.note(sayCounts(counts));
  const more = items.length - shown.length;
  if (more > 0)
    out.note(`${more} more ${more === 1 ? "was" : "were"} retired earlier: \`cairn contradictions --all\`.`);
  if (shown.length > 0) out.note("`cairn contradictions ID` shows what stands against one; --undo brings it back.");
  tellScope(cli);
}

type Counts = Pick<ConflictPage, "open_count" | "waiting_count" | "possible_count">;

/** How many nobody has reviewed, as people read it. */
export function sayCounts({ open_count, waiting_count, possible_count }: Counts): string {
  if (open_count === 0) return "No conflict is open.";
  const retired = open_count - waiting_count - possible_count;
  return `${waiting_count} ${waiting_count === 1 ? "waits" : "wait"} for a decision, ${retired} retired and not reviewed, ${possible_count} possible.`;
}

/** How many findings nobody has reviewed, in all that the caller sees. */
export async function conflictCounts({ call, tenant_id, agent_id }: Cli): Promise<Counts> {
  const query = new URLSearchParams({ tenant_id, limit: "1", ...(agent_id === null ? {} : { agent_id }) });
  const { open_count, waiting_count, possible_count } = ConflictPage.parse(
    await call("GET", `/api/v1/conflicts?${query}`),
  );
  return { open_count, waiting_count, possible_count };
}

async function found(cli: Cli, state: "open" | "all"): Promise<Omit<ConflictPage, "next_cursor">> {
  const { call, tenant_id } = cli;
  const query = new URLSearchParams({ tenant_id, agent_id: readerOf(cli), state, limit: String(PAGE) });
  for (const [name, value] of Object.entries(seenBy(cli))) query.set(name, String(value));
  const items: Conflict[] = [];
  for (;;) {
    const page = ConflictPage.parse(await call("GET", `/api/v1/conflicts?${query}`));
    items.push(...page.items);
    const { next_cursor, open_count, waiting_count, possible_count } = page;
    if (next_cursor === null) return { items, open_count, waiting_count, possible_count };
    query.set("cursor", next_cursor);
  }
}

const isPressing = ({ older, result, state, found_at }: Conflict): boolean =>
  older.status === "conflicted" ||
  (result === POSSIBLE && state === "open") ||
  systemClock.now() - Date.parse(found_at) < LATELY_MS;

function columnsOf({ out }: Cli, isAll: boolean): readonly Column<Conflict>[] {
  return [
    idColumn(out, "ID", ({ older }) => older.id),
    { title: "FOUND", value: ({ found_at }) => out.date(found_at) },
    {
      title: "STATUS",
      value: ({ older, result, state }) => (result === POSSIBLE && state === "open" ? POSSIBLE : older.status),
    },
    ...(isAll ? [{ title: "REVIEW", value: ({ state }: Conflict) => state }] : []),
    { title: "TEXT", value: ({ older }) => plainText(older.content), isWide: true },
    // Whoever reads a pipe can name both; a terminal has no room for two ids.
    ...(out.isTerminal ? [] : [idColumn<Conflict>(out, "BY", ({ newer }) => newer.id)]),
    { title: "STANDS AGAINST IT", value: ({ newer }) => plainText(newer.content), isWide: true },
  ];
}
