import type { ImportOutcomeName } from "../../core/schema/keeping/transfer.ts";
import { ImportResult, ImportState } from "../../core/schema/keeping/transfer.ts";
import type { ReadLine } from "../../formats/reader.ts";
import type { Cli } from "../connect.ts";
import type { Refusal } from "./batches.ts";
import { batchesOf } from "./batches.ts";
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
  readonly agent_id: string | null;
  readonly fleet_id: string | null;
}

export type ImportCounts = Record<ImportOutcomeName, number>;

/** What became of a source. */
export interface ImportReport {
  readonly counts: ImportCounts;
  /** Entries that an earlier run had stored. */
  readonly resumed_from: number;
  readonly refusals: readonly Refusal[];
}

const PATH = "/api/v1/import";

/**
 * Sends a source to the server, a batch at a time, and goes on where an earlier run was broken off. A source that was stored as a
 * whole is sent again: what is there stays as it is.
 */
export async function runImport(
  { call, tenant_id }: Pick<Cli, "call" | "tenant_id">,
  source: ImportSource,
  { dry_run, agent_id, fleet_id }: ImportOptions,
  progress: RateLine,
): Promise<ImportReport> {
  const query = new URLSearchParams({ tenant_id, source: source.name });
  const { position: stored } = ImportState.parse(await call("GET", `${PATH}?${query}`));
  const from = dry_run || stored >= (source.total ?? 0) ? 0 : stored;
  const counts: ImportCounts = { created: 0, exists: 0, duplicate: 0, different: 0, deleted: 0, refused: 0 };
  const refusals: Refusal[] = [];
  const refuse = (refusal: Refusal) => {
    counts.refused += 1;
    refusals.push(refusal);
  };
  progress.begin(from, source.total);
  for await (const { records, places, position } of batchesOf(source.read(), from, refuse)) {
    const body = { tenant_id, agent_id, fleet_id, source: source.name, position, dry_run, records };
    const { results } = ImportResult.parse(await call("POST", PATH, body));
    for (const { index, outcome, error } of results) {
      const place = places[index];
      if (outcome === "refused" && place) refuse({ place, error: error ?? "It was refused." });
      else counts[outcome] += 1;
    }
    progress.show(position);
  }
  progress.end();
  return { counts, resumed_from: from, refusals };
}
