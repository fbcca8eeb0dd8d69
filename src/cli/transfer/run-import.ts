import type { ImportOutcomeName } from "../../core/schema/keeping/import.ts";
import { ImportResult, ImportState } from "../../core/schema/keeping/import.ts";
import type { GoverningKind } from "../../core/schema/keeping/transfer.ts";
import { isGoverning } from "../../core/schema/keeping/transfer.ts";
import type { Place, ReadLine, ReadRecord } from "../../formats/reader.ts";
import type { CallLocal } from "../call.ts";
import { Refused } from "../call.ts";
import type { Cli } from "../connect.ts";
import type { Batch, Kept, Refusal, Remark } from "./batches.ts";
import { batchesOf } from "./batches.ts";
import type { SourceNames } from "./dry-run.ts";
import { namesIn } from "./dry-run.ts";
import type { RateLine } from "./rate-line.ts";

/** A source that can be read as often as it is asked for. */
export interface ImportSource {
  /** What the server keeps the progress of it under. */
  readonly name: string;
  /** Entries in it, those that are no records included; null where that is known at its end only. */
  readonly total: number | null;
  read(): AsyncIterable<ReadLine>;
}

export interface ImportOptions {
  readonly dry_run: boolean;
  /** Takes what says what agents are told and may do, too. */
  readonly trust_source: boolean;
  /** Author of what names none. */
  readonly agent_id: string | null;
  /** Project of what names none; null has it for everyone. */
  readonly fleet_id: string | null;
}

export type ImportCounts = Record<ImportOutcomeName, number>;

/** A memory that was stored in one project and lies in another too, as an import before had brought it there. */
export interface Twice {
  readonly place: Place;
  /** The one in the other project. */
  readonly id: string;
  readonly fleet_id: string | null;
}

/** What became of a source. */
export interface ImportReport {
  readonly counts: ImportCounts;
  /** Entries that an earlier run had stored. */
  readonly resumed_from: number;
  readonly refusals: readonly Refusal[];
  /** What was taken otherwise than it is written: dates that cannot be read. */
  readonly remarks: readonly Remark[];
  /** What something else stands in place of: another memory that says the same, another text, a deletion. */
  readonly kept: readonly Kept[];
  /** What lies in another project too, where an import before had brought it. */
  readonly twice: readonly Twice[];
  /** What was left out as nobody trusts the source, by its kind. */
  readonly skipped: Readonly<Partial<Record<GoverningKind, number>>>;
}

const PATH = "/api/v1/import";

/**
 * Sends a source to the server, a batch at a time, and goes on where an earlier run was broken off. A source that was stored as a
 * whole is sent again: what is there stays as it is.
 */
export async function runImport(
  { call, tenant_id }: Pick<Cli, "call" | "tenant_id">,
  source: ImportSource,
  options: ImportOptions,
  progress: RateLine,
): Promise<ImportReport> {
  const query = new URLSearchParams({ tenant_id, source: source.name });
  const { position: stored } = ImportState.parse(await call("GET", `${PATH}?${query}`));
  const from = options.dry_run || stored >= (source.total ?? 0) ? 0 : stored;
  const counts: ImportCounts = {
    created: 0,
    exists: 0,
    duplicate: 0,
    different: 0,
    deleted: 0,
    skipped: 0,
    refused: 0,
  };
  const refusals: Refusal[] = [];
  const refuse = (refusal: Refusal) => {
    counts.refused += 1;
    refusals.push(refusal);
  };
  const remarks: Remark[] = [];
  const kept: Kept[] = [];
  const twice: Twice[] = [];
  const skipped: Partial<Record<GoverningKind, number>> = {};
  let isWhole = true;
  const report: Reporting = {
    count: (one) => {
      counts[one.outcome] += 1;
      if (TOLD_BY_PLACE.includes(one.outcome)) kept.push(one);
    },
    skip: (kind) => {
      counts.skipped += 1;
      skipped[kind] = (skipped[kind] ?? 0) + 1;
    },
    refuse: (refusal) => {
      isWhole = false;
      refuse(refusal);
    },
    tellTwice: (one) => twice.push(one),
    fleet_id: options.fleet_id,
    names: options.dry_run ? await namesIn(source) : null,
  };
  progress.begin(from, source.total);
  const remark = (one: Remark) => {
    if (one.isLeftOut) counts.skipped += 1;
    remarks.push(one);
  };
  for await (const batch of batchesOf(source.read(), from, refuse, remark)) {
    // What was refused may be taken once its cause is gone: the next run is to send it again.
    const reached = isWhole ? { source: source.name, position: batch.position } : {};
    await sendBatch(call, batch, { ...options, shared_stays: true, tenant_id, ...reached }, report);
    progress.show(batch.position);
  }
  progress.end();
  return { counts, resumed_from: from, refusals, remarks, kept, twice, skipped };
}

const TOLD_BY_PLACE: readonly ImportOutcomeName[] = ["duplicate", "different", "deleted"];

interface Reporting {
  count(one: Kept): void;
  skip(kind: GoverningKind): void;
  refuse(refusal: Refusal): void;
  tellTwice(one: Twice): void;
  /** The project of what names none. */
  readonly fleet_id: string | null;
  /** What a dry run, which stores nothing, takes for stored; null where it is none. */
  readonly names: SourceNames | null;
}

/** A request that holds too much, or more than its schema allows. */
const TOO_MUCH = [413, 422];

/** Sends a batch; one that is refused as a whole in halves, until it is clear which record it is. */
async function sendBatch(call: CallLocal, batch: Batch, body: object, report: Reporting): Promise<void> {
  const reply = await call("POST", PATH, { ...body, records: batch.records }).catch((error: unknown) => {
    if (error instanceof Refused && TOO_MUCH.includes(error.status)) return error;
    throw error;
  });
  if (reply instanceof Refused) return sendInParts(call, batch, { body, report, reply });
  for (const result of ImportResult.parse(reply).results) {
    const [place, record] = [batch.places[result.index], batch.records[result.index]];
    if (place && record) tellOne(result, { place, record }, report);
  }
}

type Sent = { readonly place: Place; readonly record: ReadRecord };

/** Tells what became of one record. */
function tellOne(result: ImportResult["results"][number], { place, record }: Sent, report: Reporting) {
  const { outcome, id, error, fleet_id, beside } = result;
  const { names } = report;
  const named = "fleet_id" in record ? record.fleet_id : undefined;
  const to = named === undefined ? report.fleet_id : named;
  if (beside) report.tellTwice({ place, id: beside.id, fleet_id: beside.fleet_id });
  if (outcome === "skipped" && isGoverning(record)) return report.skip(record.record);
  const repeated = outcome === "created" ? names?.repeats(record) : null;
  if (outcome !== "refused") report.count({ place, outcome: repeated ?? outcome, id, error, fleet_id, to });
  else if (names?.hasEndsOf(record)) report.count({ place, outcome: "created", id, error: null, to });
  else report.refuse({ place, error: error ?? "It was refused." });
}

interface RefusedWhole {
  readonly body: object;
  readonly report: Reporting;
  readonly reply: Refused;
}

async function sendInParts(call: CallLocal, batch: Batch, { body, report, reply }: RefusedWhole): Promise<void> {
  const { records, places, position } = batch;
  const [place] = places;
  if (records.length <= 1) {
    if (place) report.refuse({ place, error: reply.message });
    return;
  }
  const half = records.length >> 1;
  // Only once the second half is stored is the source read so far.
  const { position: _position, source: _source, ...without }: Record<string, unknown> = { ...body };
  await sendBatch(call, { records: records.slice(0, half), places: places.slice(0, half), position }, without, report);
  await sendBatch(call, { records: records.slice(half), places: places.slice(half), position }, body, report);
}
