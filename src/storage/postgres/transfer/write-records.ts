import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { ImportBatch, ImportOutcome, IncomingRecord } from "../../../core/ports/keeping/transfer.ts";
import { eventOf } from "../../common/transfer/events.ts";
import type { WriteContext } from "../../common/transfer/write-context.ts";
import { documentRoom } from "../../common/transfer/write-context.ts";
import { insertAudit } from "../accounts/audit-rows.ts";
import { storedDocuments } from "../documents/room.ts";
import type { TenantWork } from "../engine/work.ts";
import { insertJobs } from "../jobs/queue.ts";
import { roomLeft } from "../memories/insert.ts";
import { writeAgent, writeSettings } from "./write-accounts.ts";
import { documentWriter } from "./write-documents.ts";
import { writeEntities } from "./write-entities.ts";
import { writeFindings } from "./write-findings.ts";
import { memoryWriter } from "./write-memories.ts";
import { writeRelations } from "./write-relations.ts";

/** Stores a batch with its jobs and how far its source was read, inside the caller's transaction. */
export async function writeRecords(work: TenantWork, clock: Clock, batch: ImportBatch): Promise<ImportOutcome[]> {
  const { progress } = batch;
  const now = toTimestamp(clock.now());
  const takesDocument = documentRoom(await storedDocuments(work, batch.documents_limit), batch.documents_limit);
  const context: WriteContext = { batch, now, room: await roomLeft(work, batch), takesDocument };
  const memories = memoryWriter(work, context);
  const documents = documentWriter(work, context, clock);
  const writeRun = async (run: Run): Promise<ImportOutcome[]> => {
    switch (run.kind) {
      case "memory":
        return memories.write(ofKind(run, "memory"));
      case "document":
        return documents.write(ofKind(run, "document"));
      case "entity":
        return writeEntities(work, context, ofKind(run, "entity"));
      case "relation":
        return writeRelations(work, ofKind(run, "relation"));
      case "finding":
        return writeFindings(work, context, ofKind(run, "finding"));
      case "agent":
        return oneByOne(ofKind(run, "agent"), ({ agent }) => writeAgent(work, context, agent));
      case "settings":
        return oneByOne(ofKind(run, "settings"), ({ tree }) => writeSettings(work, tree));
      default:
        return run.kind satisfies never;
    }
  };
  const outcomes: ImportOutcome[] = [];
  for (const run of runsOf(batch.records)) outcomes.push(...(await writeRun(run)));
  const moment = { tenant_id: work.tenant_id, at: now };
  const events = batch.records.flatMap((record, i) =>
    outcomes[i]?.outcome === "created" ? eventOf(record, moment) : [],
  );
  await insertAudit(work, batch.actor, events);
  await insertJobs(work, batch.jobsFor(await memories.finish(), documents.stored), clock.now());
  // What was refused is to be sent again once its cause is gone.
  if (progress && outcomes.every(({ outcome }) => outcome !== "refused"))
    await work.run(sql`insert into imports (tenant_id, source, position, updated_at)
      values (${work.tenant_id}, ${progress.source}, ${progress.position}, ${now})
      on conflict (tenant_id, source) do update set position = excluded.position, updated_at = excluded.updated_at`);
  return outcomes;
}

/** Records of one kind that follow one another: they are stored together. */
interface Run {
  readonly kind: IncomingRecord["kind"];
  readonly records: IncomingRecord[];
}

function runsOf(records: readonly IncomingRecord[]): Run[] {
  const runs: Run[] = [];
  for (const record of records) {
    const last = runs.at(-1);
    if (last?.kind === record.kind) last.records.push(record);
    else runs.push({ kind: record.kind, records: [record] });
  }
  return runs;
}

type OfKind<K extends IncomingRecord["kind"]> = Extract<IncomingRecord, { readonly kind: K }>;

const ofKind = <K extends IncomingRecord["kind"]>({ records }: Run, kind: K): OfKind<K>[] =>
  records.filter((record): record is OfKind<K> => record.kind === kind);

async function oneByOne<T>(records: readonly T[], write: (record: T) => Promise<ImportOutcome>) {
  const outcomes: ImportOutcome[] = [];
  for (const record of records) outcomes.push(await write(record));
  return outcomes;
}
