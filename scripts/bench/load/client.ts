import { z } from "zod";
import type { Author, Dice } from "../text.ts";
import type { Ledger, OwnRow, SharedRow } from "./ledger.ts";
import { hold } from "./ledger.ts";
import type { Wire } from "./wire.ts";

export const TENANT = "default";
const tenant_id = TENANT;

/** Calls of each kind among a hundred or so. */
const MIX = {
  write: 12,
  bulk: 2,
  search: 10,
  find_own: 6,
  recall: 5,
  list: 6,
  get: 14,
  patch_metadata: 16,
  replace_metadata: 2,
  patch_content: 5,
  patch_shared_content: 2,
  status: 5,
  delete: 5,
  bulk_delete: 1,
  delete_matching: 1,
  contradictions: 4,
  stats: 3,
  count: 5,
  fleets: 1,
  tenants: 1,
} as const;
type Kind = keyof typeof MIX;
const KINDS = Object.keys(MIX).filter((kind): kind is Kind => kind in MIX);
/** Every kind as often as it is to be drawn. */
const DECK = KINDS.flatMap((kind) => Array.from({ length: MIX[kind] }, () => kind));

/** Metadata keys that one client sets on one shared row, over and over. */
const KEYS_PER_CLIENT = 6;
const STATUSES = ["active", "confirmed", "pending", "archived", "cancelled"] as const;
/** What the detector may make of a row at any moment. */
const OVERTAKEN = ["outdated", "conflicted"];
const SEARCHED = ["active", "confirmed", "pending"];
/** One write in so many comes twice with the same key. */
const REPEAT_EVERY = 6;
const BATCH_MAX = 20;

const Written = z.object({ id: z.string(), content: z.string(), status: z.string() });
const Found = z.object({ items: z.array(z.object({ id: z.string() })) });
const Batch = z.object({ results: z.array(z.object({ status: z.string(), id: z.string() })) });
const Moved = z.object({ old_status: z.string(), new_status: z.string() });
const Deleted = z.object({ deleted: z.number() });
const Contradictions = z.object({ memory_id: z.string() });

export interface Scene {
  readonly wire: Wire;
  readonly ledger: Ledger;
  readonly shared: readonly SharedRow[];
  readonly author: Author;
  readonly dice: Dice;
  readonly number: number;
}

/** What an answer told of a row. */
type Told = Pick<OwnRow, "id" | "content" | "status">;

/** One client: calls one after another, of all kinds, and keeps book of what was acknowledged. */
export function createClient({ wire, ledger, shared, author, dice, number }: Scene) {
  const agent_id = `load-${number}`;
  const own: OwnRow[] = [];
  const contents = author.rows(200);
  const questions = author.questions(50);
  let sequence = 0;

  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(dice() * list.length)];
  const living = (): OwnRow | undefined => pick(own.filter(({ deleted }) => !deleted).slice(-40));
  const statement = (): { mark: string; content: string } => {
    const mark = `mark${number}q${sequence++}`;
    return { mark, content: `${contents[sequence % contents.length]?.content} Filed under ${mark}.` };
  };
  const remember = (told: Told, mark: string, metadata: Readonly<Record<string, unknown>>): void => {
    const row: OwnRow = { ...told, client: number, mark, metadata: new Map(Object.entries(metadata)), deleted: false };
    own.push(row);
    ledger.own.set(row.id, row);
  };
  const address = (row: { id: string }) => `/memories/${row.id}`;
  const look = (name: string, path: string, query: Record<string, string | boolean>) => async () => {
    await wire(name, "GET", path, { query, expected: [200] });
  };

  const acts: Record<Kind, () => Promise<void>> = {
    write: async () => {
      const { mark, content } = statement();
      const run_id = dice() < 0.5 ? `run-${number}-${Math.floor(sequence / 10)}` : undefined;
      const body = { tenant_id, agent_id, content, run_id, metadata: { by: number } };
      const headers = { "Idempotency-Key": crypto.randomUUID() };
      const answer = await wire("write", "POST", "/memories", { body, headers, expected: [201] });
      if (answer.status !== 201) return;
      remember(Written.parse(answer.body), mark, { by: number });
      if (sequence % REPEAT_EVERY > 0) return;
      const again = await wire("write_repeated", "POST", "/memories", { body, headers, expected: [201] });
      hold(
        ledger,
        Written.parse(again.body).id === Written.parse(answer.body).id,
        () => `a repeated key wrote ${mark} twice`,
      );
    },
    bulk: async () => {
      const lot = `lot-${number}-${sequence}`;
      const items = Array.from({ length: 2 + Math.floor(dice() * BATCH_MAX) }, () => statement());
      const body = { tenant_id, agent_id, items: items.map(({ content }) => ({ content, metadata: { lot } })) };
      const headers = { "X-Bulk-Attempt-Id": `attempt-${lot}` };
      const answer = await wire("bulk", "POST", "/memories/bulk", { body, headers, expected: [200] });
      if (answer.status !== 200) return;
      Batch.parse(answer.body).results.forEach(({ id }, i) => {
        const item = items[i];
        if (item) remember({ id, content: item.content, status: null }, item.mark, { lot });
      });
      if (dice() < 0.75) return;
      const again = await wire("bulk_repeated", "POST", "/memories/bulk", { body, headers, expected: [200] });
      const news = Batch.parse(again.body).results.filter(({ status }) => status !== "duplicate_attempt");
      hold(ledger, news.length === 0, () => `a repeated attempt stored ${news.length} items of ${lot} again`);
    },
    search: async () => {
      const body = { tenant_id, query: pick(questions), top_k: 10, caller_agent_id: agent_id };
      await wire("search", "POST", "/search", { body, expected: [200] });
    },
    find_own: async () => {
      const row = living();
      if (!row || (row.status !== null && !SEARCHED.includes(row.status))) return;
      // Nothing is as near as that, so that only rows with the word are left.
      const body = { tenant_id, query: row.mark, min_similarity: 1 };
      const answer = await wire("find_own", "POST", "/search", { body, expected: [200] });
      if (answer.status !== 200) return;
      const isFound = Found.parse(answer.body).items.some(({ id }) => id === row.id);
      hold(ledger, isFound, () => `an acknowledged row is not found by its own word ${row.mark}`);
    },
    recall: async () => {
      await wire("recall", "POST", "/recall", { body: { tenant_id, query: pick(questions) }, expected: [200] });
    },
    list: async () => {
      const filters = [{ written_by: agent_id }, { sort: "weight", offset: 20 }, { status: "confirmed" }, {}];
      const query = { tenant_id, limit: 50, ...pick(filters) };
      await wire("list", "GET", "/memories", { query, expected: [200] });
    },
    get: async () => {
      const row = pick(own.slice(-60));
      if (!row) return;
      const expected = [row.deleted ? 404 : 200];
      const answer = await wire("get", "GET", address(row), { query: { tenant_id }, expected });
      if (answer.status !== 200) return;
      const { content } = Written.parse(answer.body);
      hold(
        ledger,
        content === row.content,
        () => `${row.mark} reads '${content}' after '${row.content}' was acknowledged`,
      );
    },
    patch_metadata: async () => {
      const row = pick(shared);
      if (!row) return;
      const [key, value] = [`c${number}k${Math.floor(dice() * KEYS_PER_CLIENT)}`, sequence++];
      const body = { metadata: { [key]: value } };
      const answer = await wire("patch_metadata", "PATCH", address(row), {
        query: { tenant_id },
        body,
        expected: [200],
      });
      if (answer.status === 200) row.metadata.set(key, value);
    },
    replace_metadata: async () => {
      const row = living();
      if (!row) return;
      const metadata = { at: sequence++ };
      const call = { query: { tenant_id, metadata_mode: "replace" }, body: { metadata }, expected: [200] };
      const answer = await wire("replace_metadata", "PATCH", address(row), call);
      if (answer.status === 200) row.metadata = new Map(Object.entries(metadata));
    },
    patch_content: async () => {
      const row = living();
      if (!row) return;
      const { mark, content } = statement();
      const query = { tenant_id, agent_id };
      const answer = await wire("patch_content", "PATCH", address(row), { query, body: { content }, expected: [200] });
      if (answer.status === 200) Object.assign(row, { mark, content, status: Written.parse(answer.body).status });
    },
    patch_shared_content: async () => {
      const row = pick(shared);
      if (!row) return;
      const { content } = statement();
      row.contents.add(content);
      const call = { query: { tenant_id }, body: { content }, expected: [200] };
      await wire("patch_shared_content", "PATCH", address(row), call);
    },
    status: async () => {
      const row = living();
      const status = pick(STATUSES);
      if (!row || !status) return;
      const call = { query: { tenant_id }, body: { status }, expected: [200] };
      const answer = await wire("status", "PATCH", `${address(row)}/status`, call);
      if (answer.status !== 200) return;
      const { old_status } = Moved.parse(answer.body);
      const isKnown = row.status === null || old_status === row.status || OVERTAKEN.includes(old_status);
      hold(ledger, isKnown, () => `${row.mark} was ${old_status}, not ${row.status}`);
      row.status = status;
    },
    delete: async () => {
      const row = living();
      if (!row) return;
      const answer = await wire("delete", "DELETE", address(row), { query: { tenant_id }, expected: [204] });
      row.deleted ||= answer.status === 204;
    },
    bulk_delete: async () => {
      const rows = [...new Set([living(), living(), living()])].filter((row) => row !== undefined);
      if (rows.length === 0) return;
      const body = { tenant_id, ids: rows.map(({ id }) => id) };
      const answer = await wire("bulk_delete", "POST", "/memories/bulk-delete", { body, expected: [200] });
      if (answer.status !== 200) return;
      for (const row of rows) row.deleted = true;
      const { deleted } = Deleted.parse(answer.body);
      hold(ledger, deleted === rows.length, () => `a bulk delete of ${rows.length} rows deleted ${deleted}`);
    },
    delete_matching: async () => {
      const lot = living()?.metadata.get("lot");
      if (typeof lot !== "string") return;
      const [spared, ...rows] = own.filter((row) => !row.deleted && row.metadata.get("lot") === lot);
      const body = { metadata_filter: { lot }, exclude_ids: spared ? [spared.id] : [] };
      const call = { query: { tenant_id, agent_id }, body, expected: [204] };
      const answer = await wire("delete_matching", "DELETE", "/memories", call);
      for (const row of rows) row.deleted ||= answer.status === 204;
    },
    contradictions: async () => {
      const row = pick(own.slice(-60));
      if (!row) return;
      const call = { query: { tenant_id }, expected: [row.deleted ? 404 : 200] };
      const answer = await wire("contradictions", "GET", `${address(row)}/contradictions`, call);
      if (answer.status !== 200) return;
      const told = Contradictions.parse(answer.body);
      hold(ledger, told.memory_id === row.id, () => `asked what clashes with ${row.id}, told of ${told.memory_id}`);
    },
    stats: look("stats", "/memories/stats", { tenant_id, include_deleted: true }),
    count: look("count", "/memories/count", { tenant_id }),
    fleets: look("fleets", "/fleets", { tenant_id }),
    tenants: look("tenants", "/tenants", {}),
  };

  return { act: (): Promise<void> => acts[pick(DECK) ?? "get"]() };
}
