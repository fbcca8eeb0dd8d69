import { call } from "../../../api/call.ts";
import { CallProblem } from "../../../api/problem.ts";
import type { ImportResult } from "../../../api/schemas.gen.ts";
import type { Batch } from "./batches.ts";
import type { FileNames } from "./names.ts";
import type { Reporting } from "./report.ts";

interface Sending {
  readonly report: Reporting;
  /** Ends waiting for a server that is busy or gone; what is on its way is not called back. */
  readonly cancelled: AbortSignal;
  /** For a dry run: what the file brings; null where it is none. */
  readonly dry: {
    readonly names: FileNames;
    repeats(record: Batch["records"][number]): "exists" | "duplicate" | null;
  } | null;
}

/** How far the source is once a batch is stored. */
interface Reached {
  readonly source?: string;
  readonly position?: number;
}

/** A request that holds too much, or more than its schema allows. */
const TOO_MUCH = [413, 422];
/** The server is busy, restarting or gone for a moment: the same batch may be sent again, for what is there stays. */
const PASSING = [0, 429, 502, 503, 504];
const TRIES_MAX = 20;
const WAIT_S = 2;

/** Sends a batch; one that is refused as a whole in halves, until it is clear which record it is. Throws CallProblem. */
export async function sendBatch(batch: Batch, reached: Reached, sending: Sending): Promise<void> {
  const reply = await sendPatiently(batch, reached, sending);
  if (reply instanceof CallProblem) return sendInHalves(batch, { reached, sending, refusal: reply });
  const { report, dry } = sending;
  for (const { index, outcome, id, error } of reply.results) {
    const [line, record] = [batch.lines[index], batch.records[index]];
    if (line === undefined || !record) continue;
    const repeated = outcome === "created" ? (dry?.repeats(record) ?? null) : null;
    if (outcome === "refused" && dry?.names.hasEndsOf(record))
      report.add({ line, outcome: "created", id, error: null });
    else report.add({ line, outcome: repeated ?? outcome, id, error });
  }
}

/** The reply, or the refusal of a batch that holds too much. */
async function sendPatiently(
  { records }: Batch,
  reached: Reached,
  { cancelled, dry }: Sending,
): Promise<ImportResult | CallProblem> {
  const body = { ...reached, dry_run: dry !== null, records: [...records] };
  for (let tries = 1; ; tries++) {
    try {
      return await call("importRecords", { body });
    } catch (error) {
      if (!(error instanceof CallProblem)) throw error;
      if (TOO_MUCH.includes(error.status)) return error;
      if (!PASSING.includes(error.status) || tries === TRIES_MAX || cancelled.aborted) throw error;
      await pause(error.retry_after ?? WAIT_S, cancelled);
    }
  }
}

const pause = (seconds: number, cancelled: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1_000);
    cancelled.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

interface RefusedWhole {
  readonly reached: Reached;
  readonly sending: Sending;
  readonly refusal: CallProblem;
}

async function sendInHalves(batch: Batch, { reached, sending, refusal }: RefusedWhole): Promise<void> {
  const { records, lines, position } = batch;
  const [line] = lines;
  if (records.length <= 1) {
    if (line !== undefined) sending.report.add({ line, outcome: "refused", id: null, error: refusal.message });
    return;
  }
  const half = records.length >> 1;
  // Only once the second half is stored is the source read so far.
  await sendBatch({ records: records.slice(0, half), lines: lines.slice(0, half), position }, {}, sending);
  await sendBatch({ records: records.slice(half), lines: lines.slice(half), position }, reached, sending);
}
