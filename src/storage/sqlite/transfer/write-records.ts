import { eq } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import { newId } from "../../../core/kernel/ids.ts";
import type {
  ImportBatch,
  ImportOutcome,
  IncomingDocument,
  IncomingRecord,
} from "../../../core/ports/keeping/transfer.ts";
import type { RecordOf } from "../../../core/schema/keeping/transfer.ts";
import { eventOf } from "../../common/transfer/events.ts";
import type { WriteContext } from "../../common/transfer/write-context.ts";
import { beside, CREATED, documentRoom, NO_ROOM_FOR_DOCUMENT } from "../../common/transfer/write-context.ts";
import { insertAudit } from "../accounts/audit.ts";
import { putDocumentWords } from "../documents/indexes.ts";
import { putMembers } from "../documents/members.ts";
import { documentRow } from "../documents/read.ts";
import { storedDocuments } from "../documents/room.ts";
import type { Engine } from "../engine/connection.ts";
import { documents, orgSettings } from "../engine/tables.ts";
import { insertJobs } from "../jobs/queue.ts";
import { roomLeft } from "../memories/insert.ts";
import { writeEntity, writeRelation } from "./write-entities.ts";
import { writeFinding } from "./write-finding.ts";
import { memoryWriter } from "./write-memory.ts";

const PROGRESS = `insert into imports (tenant_id, source, position, updated_at) values (?, ?, ?, ?)
  on conflict do update set position = excluded.position, updated_at = excluded.updated_at`;

/** Stores a batch with its jobs and how far its source was read, inside the caller's transaction. */
export function writeRecords(db: Engine, clock: Clock, batch: ImportBatch): ImportOutcome[] {
  const { tenant_id, progress } = batch;
  const now = toTimestamp(clock.now());
  const held = storedDocuments(db.writeConnection, tenant_id, batch.documents_limit);
  const takesDocument = documentRoom(held, batch.documents_limit);
  const context: WriteContext = { batch, now, room: roomLeft(db, batch, tenant_id), takesDocument };
  const memories = memoryWriter(db, context);
  const document_ids: string[] = [];
  const writeOne = (record: IncomingRecord): ImportOutcome => {
    switch (record.kind) {
      case "memory":
        return memories.write(record);
      case "document":
        return writeDocument(db, context, record, { id: newId(clock), stored: (id) => document_ids.push(id) });
      case "entity":
        return writeEntity(db, context, record);
      case "relation":
        return writeRelation(db, context, record);
      case "finding":
        return writeFinding(db, context, record.finding);
      case "agent":
        return writeAgent(db, context, record.agent);
      case "settings":
        return writeSettings(db, context, record.tree);
      default:
        return record satisfies never;
    }
  };
  const outcomes = batch.records.map(writeOne);
  const events = batch.records.flatMap((record, i) =>
    outcomes[i]?.outcome === "created" ? eventOf(record, { tenant_id, at: now }) : [],
  );
  insertAudit(db, batch.actor, events);
  insertJobs(db, batch.jobsFor(memories.finish(), document_ids), clock.now());
  // What was refused is to be sent again once its cause is gone.
  if (progress && outcomes.every(({ outcome }) => outcome !== "refused"))
    db.writeConnection.query(PROGRESS).run(tenant_id, progress.source, progress.position, now);
  return outcomes;
}

interface NewDocument {
  readonly id: string;
  stored(id: string): void;
}

function writeDocument(
  db: Engine,
  { batch: { tenant_id }, now, takesDocument }: WriteContext,
  { document, approval, searchable }: IncomingDocument,
  { id, stored }: NewDocument,
): ImportOutcome {
  const { collection, doc_id, data, fleet_id, created_at, updated_at } = document;
  const key = { tenant_id, collection, doc_id };
  const present = documentRow(db.drizzleWrite, key);
  if (present) return beside(present.data, data);
  if (!takesDocument()) return NO_ROOM_FOR_DOCUMENT;
  const row = db.drizzleWrite
    .insert(documents)
    .values({
      ...key,
      id,
      fleet_id: fleet_id ?? null,
      data,
      created_at: created_at ?? now,
      updated_at: updated_at ?? created_at ?? now,
      summary: searchable?.summary ?? null,
      approval,
    })
    .returning()
    .get();
  putMembers(db, row, data);
  if (searchable) putDocumentWords(db, row.seq, searchable);
  if (searchable) stored(row.id);
  return CREATED;
}

const AGENT_ROW = "select display_name, fleet_id, trust_level from agents where tenant_id = ? and agent_id = ?";
const AGENT = `insert into agents (tenant_id, agent_id, display_name, fleet_id, trust_level, created_at, updated_at)
  values (?, ?, ?, ?, ?, ?, ?)`;

interface AgentRow {
  readonly display_name: string | null;
  readonly fleet_id: string | null;
  readonly trust_level: number;
}

function writeAgent(db: Engine, { batch: { tenant_id }, now }: WriteContext, agent: RecordOf<"agent">): ImportOutcome {
  const { agent_id, display_name, fleet_id, trust_level, created_at } = agent;
  const wanted: AgentRow = {
    display_name: display_name ?? null,
    fleet_id: fleet_id ?? null,
    trust_level: trust_level ?? 1,
  };
  const present = db.writeConnection.query<AgentRow, [string, string]>(AGENT_ROW).get(tenant_id, agent_id);
  if (present) return beside(present, wanted);
  db.writeConnection
    .query<unknown, (string | number | null)[]>(AGENT)
    .run(tenant_id, agent_id, wanted.display_name, wanted.fleet_id, wanted.trust_level, created_at ?? now, now);
  return CREATED;
}

/** Settings that are there stay. */
function writeSettings(
  db: Engine,
  { batch: { tenant_id } }: WriteContext,
  tree: RecordOf<"settings">["tree"],
): ImportOutcome {
  const { changes } = db.writeConnection
    .query("insert into org_settings (tenant_id, tree) values (?, ?) on conflict do nothing")
    .run(tenant_id, JSON.stringify(tree));
  if (changes > 0) return CREATED;
  const present = db.drizzleWrite.select().from(orgSettings).where(eq(orgSettings.tenant_id, tenant_id)).get();
  return beside(present?.tree, tree);
}
