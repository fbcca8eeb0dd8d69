import { batchesOf } from "../../cli/transfer/batches.ts";
import { canonicalJson } from "../../core/kernel/json.ts";
import type { Ctx } from "../../core/ports/context.ts";
import { ExportEnd, TransferRecord } from "../../core/schema/keeping/transfer.ts";
import type { ReadLine } from "../../formats/reader.ts";
import { exportTenant } from "../../transfer/export.ts";
import { importRecords } from "../../transfer/import.ts";

/** What was read of a tenant: by kind how many records there are, and a sum of their hashes, in whatever order they came. */
export interface Digest {
  readonly counts: Readonly<Record<string, number>>;
  readonly sums: Readonly<Record<string, bigint>>;
}

/** A sum keeps so many bits. */
const SUM_BITS = 256;

/** Adds up records as they pass. */
export function createDigest(): Digest & { add(record: TransferRecord): void } {
  const counts: Record<string, number> = {};
  const sums: Record<string, bigint> = {};
  return {
    counts,
    sums,
    add: (record) => {
      const kind = record.record;
      const hash = new Bun.CryptoHasher("sha256").update(canonicalJson(record)).digest("hex");
      counts[kind] = (counts[kind] ?? 0) + 1;
      sums[kind] = BigInt.asUintN(SUM_BITS, (sums[kind] ?? 0n) + BigInt(`0x${hash}`));
    },
  };
}

/** All records of a tenant. Throws AppError, and Error where the end is missing. */
export async function* recordsOf(ctx: Ctx, tenant_id: string): AsyncGenerator<TransferRecord> {
  let isWhole = false;
  for await (const part of exportTenant(ctx, { tenant_id })) {
    for (const line of part.split("\n")) {
      if (line === "") continue;
      const value: unknown = JSON.parse(line);
      isWhole = ExportEnd.safeParse(value).success;
      // The first and the last line are none.
      const record = TransferRecord.safeParse(value);
      // Safe: it is a record as it was written, with no member filled in.
      if (record.success) yield value as TransferRecord;
    }
  }
  if (!isWhole) throw new Error("The export broke off.");
}

/** Records that one of both sides could not take. */
export interface Untaken {
  readonly kind: string;
  readonly why: string;
}

/** Reads a tenant of one side into the other; `pass` is called for each record. Returns what was not taken as it is. */
export async function copyTenant(
  [from, to]: readonly [from: Ctx, to: Ctx],
  tenant_id: string,
  pass: (record: TransferRecord) => void,
): Promise<Untaken[]> {
  const untaken: Untaken[] = [];
  async function* lines(): AsyncGenerator<ReadLine> {
    let line = 0;
    for await (const record of recordsOf(from, tenant_id)) {
      pass(record);
      yield { place: { file: tenant_id, line: ++line }, record };
    }
  }
  for await (const { records } of batchesOf(lines(), 0, () => {})) {
    const request = { tenant_id, dry_run: false, trust_source: true, records: [...records] };
    const { results } = await importRecords(to, request, { isMove: true });
    for (const { index, outcome, error } of results) {
      if (outcome === "created" || outcome === "exists") continue;
      untaken.push({ kind: records[index]?.record ?? "record", why: error ?? outcome });
    }
  }
  return untaken;
}

/** The same of one side alone. */
export async function digestOf(ctx: Ctx, tenant_id: string): Promise<Digest> {
  const digest = createDigest();
  for await (const record of recordsOf(ctx, tenant_id)) digest.add(record);
  return digest;
}

/** Kinds of which both sides do not hold the same records. */
export function differing(one: Digest, other: Digest): string[] {
  const kinds = new Set([...Object.keys(one.counts), ...Object.keys(other.counts)]);
  return [...kinds].filter((kind) => one.counts[kind] !== other.counts[kind] || one.sums[kind] !== other.sums[kind]);
}
