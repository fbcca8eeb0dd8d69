import { call } from "../../../api/call.ts";
import { batchesOf } from "./batches.ts";
import type { Frame } from "./export-file.ts";
import { readExport } from "./export-file.ts";
import { faultOfFile } from "./lines.ts";
import type { FileNames } from "./names.ts";
import { gatherNames } from "./names.ts";
import type { Report } from "./report.ts";
import { Reporting } from "./report.ts";
import { sendBatch } from "./send.ts";
import { sha256 } from "./sha256.ts";

/** A file that was read once, so that it is known what it holds. */
export interface ReadFile {
  readonly file: File;
  /** What the server keeps its progress under; `cairn import` calls the same file the same. */
  readonly source: string;
  /** Entries in it, those that are no records included. */
  readonly total: number;
  readonly frame: Frame | null;
  readonly names: FileNames;
  /** How many of its entries an earlier run has stored. */
  readonly stored: number;
}

/** How far something is. */
export interface Progressed {
  readonly bytes: number;
  readonly entries: number;
  readonly counts: Report["counts"] | null;
}

interface Hearing {
  readonly cancelled: AbortSignal;
  told(progress: Progressed): void;
}

/** Entries between which the page may draw itself. */
const DRAWN_EVERY = 500;

/** Reads a file as a whole, without keeping it: whether it is an export, how many entries it has, and its name. Throws CallProblem; null when cancelled. */
export async function readFile(file: File, { cancelled, told }: Hearing): Promise<ReadFile | null> {
  const digest = sha256();
  const names = gatherNames();
  let [total, bytes] = [0, 0];
  let frame: Frame | null = null;
  const entries = readExport(file, {
    bytes: (read) => {
      bytes = read;
    },
    frame: (one) => {
      frame = one;
    },
  });
  for await (const entry of entries) {
    total += 1;
    digest.update(JSON.stringify(entry));
    if ("record" in entry) names.add(entry.record);
    if (total % DRAWN_EVERY !== 0) continue;
    if (cancelled.aborted) return null;
    told({ bytes, entries: total, counts: null });
    await drawn();
  }
  if (total === 0) throw faultOfFile(`${file.name} holds no record.`);
  const source = `jsonl ${digest.end()}`;
  return { file, source, total, frame, names, stored: await storedOf(source) };
}

/** How far the server knows a source to be stored. Throws CallProblem. */
export const storedOf = async (source: string): Promise<number> =>
  (await call("getImport", { query: { source } })).position;

const drawn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** What an import came to; `isCancelled` where it was stopped between two batches. */
export interface Ended {
  readonly report: Report;
  readonly isCancelled: boolean;
  readonly resumed_from: number;
}

/**
 * Sends a file to the server, a batch at a time, and goes on where an earlier run was broken off. A file that was stored as
 * a whole is sent again: what is there stays as it is. Throws CallProblem.
 */
export async function sendFile(read: ReadFile, isDry: boolean, { cancelled, told }: Hearing): Promise<Ended> {
  const stored = await storedOf(read.source);
  const from = isDry || stored >= read.total ? 0 : stored;
  const report = new Reporting();
  const dry = isDry ? { names: read.names, repeats: read.names.repeats() } : null;
  let bytes = 0;
  const entries = readExport(read.file, {
    bytes: (count) => {
      bytes = count;
    },
  });
  const refuse = (line: number, error: string) => report.add({ line, outcome: "refused", id: null, error });
  for await (const batch of batchesOf(entries, from, refuse)) {
    // What was refused may be taken once its cause is gone: the next run is to send it again.
    const isWhole = report.counts.refused === 0;
    const reached = isWhole && !isDry ? { source: read.source, position: batch.position } : {};
    await sendBatch(batch, reached, { report, cancelled, dry });
    told({ bytes, entries: batch.position - from, counts: report.counts });
    if (cancelled.aborted && batch.position < read.total)
      return { report: report.report, isCancelled: true, resumed_from: from };
  }
  return { report: report.report, isCancelled: false, resumed_from: from };
}
