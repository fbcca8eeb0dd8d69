import type { ReadonlySignal } from "@preact/signals";
import { signal } from "@preact/signals";
import type { Input } from "../../../api/call.ts";
import { call } from "../../../api/call.ts";
import type { CallProblem } from "../../../api/problem.ts";
import { asProblem } from "../../../api/problem.ts";
import type { Row } from "./rows.ts";
import { ROW_FIELDS, toRow } from "./rows.ts";

export type MemoryQuery = NonNullable<Input<"listMemories">["query"]>;

/** The memories of one choice of filters, as far as they were fetched, in the order of the list. */
export interface Feed {
  /** Tells the list of one query from that of another. */
  readonly key: string;
  readonly rows: ReadonlySignal<readonly Row[]>;
  /** Whether a page is under way, more could be fetched, or all of it is there. */
  readonly state: ReadonlySignal<"loading" | "more" | "whole">;
  readonly problem: ReadonlySignal<CallProblem | null>;
  /** How many new rows wait to be shown on top; null where only this is known, that there are changes. */
  readonly waiting: ReadonlySignal<number | null>;
  /** Fetches the next page, unless one is under way or there is none. */
  more(): Promise<void>;
  /** Looks at the first page again: what is new there is shown where `mayShow` says so, else it waits. */
  refresh(mayShow: () => boolean): Promise<void>;
  /** Shows rows as they are now, in the places that they have. */
  update(...changed: readonly Row[]): void;
  /** Takes rows off; gives what puts them back. */
  drop(ids: readonly string[]): () => void;
  stop(): void;
}

const PAGE_ROWS = 500;
/** Changes may come many a second; so long it waits between two looks, in milliseconds. */
const REST_MS = 1_000;

interface PageOfRows {
  readonly rows: Row[];
  readonly next: string | null;
}

/** Begins with nothing: the first page comes with `more`. */
export function memoryFeed(query: MemoryQuery): Feed {
  const rows = signal<readonly Row[]>([]);
  const state = signal<"loading" | "more" | "whole">("more");
  const problem = signal<CallProblem | null>(null);
  const waiting = signal<number | null>(0);
  const abort = new AbortController();
  const byCursor = (query.sort ?? "created_at") === "created_at" && (query.order ?? "desc") === "desc";
  let known = new Set<string>();
  let next: string | null = null;
  let offset = 0;
  let isLooking = false;
  let isStale = false;

  async function fetchPage(place: Pick<MemoryQuery, "cursor" | "offset">): Promise<PageOfRows & { read: number }> {
    const asked = { ...query, ...place, limit: PAGE_ROWS, fields: ROW_FIELDS };
    const { items, next_cursor } = await call("listMemories", { query: asked }, abort.signal);
    return { rows: items.flatMap((item) => toRow(item) ?? []), next: next_cursor, read: items.length };
  }

  function show(now: readonly Row[]): void {
    rows.value = now;
    known = new Set(now.map(({ id }) => id));
  }

  /** Shows other rows than before; the cursor or offset goes on behind them. */
  function begin(page: PageOfRows): void {
    show(page.rows);
    next = page.next;
    offset = page.rows.length;
    state.value = next === null ? "whole" : "more";
  }

  /** Reads the next page behind what is shown; gives whether that was any row, or the end. */
  async function readOn(): Promise<boolean> {
    const cursor = next === null ? {} : { cursor: next };
    const page = await fetchPage(byCursor ? cursor : { offset });
    const fresh = page.rows.filter(({ id }) => !known.has(id));
    for (const { id } of fresh) known.add(id);
    next = page.next;
    offset += page.read;
    if (fresh.length > 0) rows.value = rows.value.concat(fresh);
    if (next === null) state.value = "whole";
    return fresh.length > 0 || next === null;
  }

  /** The first page as it is now, in front of what lies behind it. */
  function splice(page: PageOfRows): void {
    const last = page.rows.at(-1)?.id;
    const at = byCursor ? rows.value.findLastIndex(({ id }) => id === last) : -1;
    const behind = at < 0 || page.next === null ? [] : rows.value.slice(at + 1);
    waiting.value = 0;
    if (behind.length === 0) begin(page);
    else show([...page.rows, ...behind]);
  }

  /** What of a page is shown already, as it is now, where it stands; the rest of it waits. */
  function renew(page: PageOfRows): void {
    const shown = rows.value;
    const isMoved = page.rows.some(({ id }, i) => shown[i]?.id !== id);
    const fresh = page.rows.filter(({ id }) => !known.has(id)).length;
    waiting.value = byCursor ? fresh : isMoved ? null : 0;
    const now = new Map(page.rows.map((row) => [row.id, row]));
    rows.value = shown.map((row) => now.get(row.id) ?? row);
  }

  async function look(mayShow: () => boolean): Promise<void> {
    try {
      const page = await fetchPage({});
      problem.value = null;
      // Behind a page that is under way nothing may move; it is looked at again after it.
      if (state.value === "loading") isStale = true;
      else if (mayShow()) splice(page);
      else renew(page);
    } catch (error) {
      if (!abort.signal.aborted && rows.value.length === 0) problem.value = asProblem(error);
    }
  }

  return {
    key: JSON.stringify(query),
    rows,
    state,
    problem,
    waiting,
    more: async () => {
      if (state.value !== "more") return;
      state.value = "loading";
      problem.value = null;
      try {
        // Rows that moved while an offset counted them come twice: a page of nothing else is passed over.
        while (!(await readOn()));
      } catch (error) {
        if (!abort.signal.aborted) problem.value = asProblem(error);
      } finally {
        if (state.value === "loading") state.value = "more";
      }
    },
    refresh: async (mayShow) => {
      isStale = true;
      if (isLooking) return;
      isLooking = true;
      while (isStale && !abort.signal.aborted) {
        isStale = false;
        await look(mayShow);
        await new Promise((rested) => setTimeout(rested, REST_MS));
      }
      isLooking = false;
    },
    update: (...changed) => {
      const now = new Map(changed.map((row) => [row.id, row]));
      rows.value = rows.value.map((row) => now.get(row.id) ?? row);
    },
    drop: (ids) => {
      const off = new Set(ids);
      const taken = rows.value.flatMap((row, at) => (off.has(row.id) ? [{ row, at }] : []));
      rows.value = rows.value.filter(({ id }) => !off.has(id));
      for (const id of off) known.delete(id);
      offset -= taken.length;
      return () => {
        const back = taken.filter(({ row }) => !known.has(row.id));
        const all = [...rows.value];
        for (const { row, at } of back) {
          all.splice(Math.min(at, all.length), 0, row);
          known.add(row.id);
        }
        offset += back.length;
        rows.value = all;
      };
    },
    stop: () => abort.abort(),
  };
}
