import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import { toTimestamp } from "../../core/kernel/clock.ts";
import { sha256 } from "../../core/kernel/hash.ts";
import { newId } from "../../core/kernel/ids.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import { canonicalJson } from "../../core/kernel/json.ts";
import type {
  ImportBatch,
  ImportOutcome,
  IncomingDocument,
  IncomingRecord,
} from "../../core/ports/keeping/transfer.ts";
import type { RecordOf } from "../../core/schema/keeping/transfer.ts";
import { hasPlaces, placeOfDocument, writtenAs } from "../../core/schema/keystones/names.ts";
import { insertAudit } from "../accounts/audit.ts";
import { putMembers } from "../documents/members.ts";
import { documentRow, namesakesOf, storedDocuments } from "../documents/read.ts";
import { insertRow } from "../documents/write.ts";
import { entityId } from "../entities/rows.ts";
import { insertJobs } from "../jobs/queue.ts";
import { jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, run } from "../units/unit.ts";
import type { AuditEvent, ChangeWork, TenantWork } from "../units/work.ts";
import type { Batch } from "./outcomes.ts";
import { beside, CREATED, refused } from "./outcomes.ts";
import { writeEntities, writeRelations } from "./write-entities.ts";
import { writeFindings } from "./write-findings.ts";
import { memoryEvent, memoryWriter } from "./write-memories.ts";
import { writeProjects } from "./write-projects.ts";

/** Stores a batch with its jobs and how far its source was read, inside the caller's transaction. */
export function* writeRecords(work: ChangeWork, clock: Clock, batch: ImportBatch): Unit<ImportOutcome[]> {
  const { progress, actor } = batch;
  const now = toTimestamp(clock.now());
  const moment = { batch, now };
  const memories = memoryWriter(work, moment);
  const documents = documentWriter(work, moment, clock);
  const writeTogether = (records: Together): Unit<ImportOutcome[]> => {
    switch (records.kind) {
      case "memory":
        return memories.write(ofKind(records, "memory"));
      case "document":
        return oneByOne(ofKind(records, "document"), documents.write);
      case "entity":
        return writeEntities(work, moment, ofKind(records, "entity"));
      case "relation":
        return writeRelations(work, ofKind(records, "relation"));
      case "finding":
        return writeFindings(work, moment, ofKind(records, "finding"));
      case "agent":
        return oneByOne(ofKind(records, "agent"), ({ agent }) => writeAgent(work, now, agent));
      case "settings":
        return oneByOne(ofKind(records, "settings"), ({ tree }) => writeSettings(work, tree));
      case "projects":
        return oneByOne(ofKind(records, "projects"), ({ projects }) => writeProjects(work, clock, projects));
      default:
        return records.kind satisfies never;
    }
  };
  const outcomes: ImportOutcome[] = [];
  for (const records of togetherOf(batch.records)) outcomes.push(...(yield* writeTogether(records)));
  yield* memories.finish();
  const events = batch.records.flatMap((record, i) =>
    outcomes[i]?.outcome === "created" ? eventOf(record, { tenant_id: work.tenant_id, at: now }) : [],
  );
  yield* insertAudit(work, actor, [...events, ...memories.created.map(({ memory }) => memoryEvent(memory, now))]);
  yield* insertJobs(work, batch.jobsFor(memories.created, documents.searchable), clock.now());
  // What was refused is to be sent again once its cause is gone.
  if (progress && outcomes.every(({ outcome }) => outcome !== "refused"))
    yield* run(sql`insert into imports (tenant_id, source, position, updated_at)
      values (${work.tenant_id}, ${progress.source}, ${progress.position}, ${now})
      on conflict (tenant_id, source) do update set position = excluded.position, updated_at = excluded.updated_at`);
  return outcomes;
}

/** Records of one kind that follow one another: they are stored together. */
interface Together {
  readonly kind: IncomingRecord["kind"];
  readonly records: IncomingRecord[];
}

function togetherOf(records: readonly IncomingRecord[]): Together[] {
  const all: Together[] = [];
  for (const record of records) {
    const last = all.at(-1);
    if (last?.kind === record.kind) last.records.push(record);
    else all.push({ kind: record.kind, records: [record] });
  }
  return all;
}

type OfKind<K extends IncomingRecord["kind"]> = Extract<IncomingRecord, { readonly kind: K }>;

const ofKind = <K extends IncomingRecord["kind"]>({ records }: Together, kind: K): OfKind<K>[] =>
  records.filter((record): record is OfKind<K> => record.kind === kind);

function* oneByOne<T>(records: readonly T[], write: (record: T) => Unit<ImportOutcome>): Unit<ImportOutcome[]> {
  const outcomes: ImportOutcome[] = [];
  for (const record of records) outcomes.push(yield* write(record));
  return outcomes;
}

/** What the audit keeps of a record that was stored; nothing of findings, and of memories all at last. */
function eventOf(record: IncomingRecord, { tenant_id, at }: { tenant_id: string; at: string }): AuditEvent[] {
  const told = (target_id: string, after: JsonObject): AuditEvent[] => [
    { at, action: `${record.kind}.import`, target_id, before: null, after, reason: null },
  ];
  switch (record.kind) {
    case "memory":
    case "finding":
      return [];
    case "document": {
      const { collection, doc_id, data } = record.document;
      return told(`${collection}/${doc_id}`, { data_hash: sha256(canonicalJson(data)) });
    }
    case "entity": {
      const { entity_type, canonical_name } = record.entity;
      return told(entityId({ tenant_id, name_key: record.key }), { entity_type, canonical_name });
    }
    case "relation": {
      const { id, from_entity_id, relation_type, to_entity_id } = record.relation;
      return told(id, { from_entity_id, relation_type, to_entity_id });
    }
    case "agent": {
      const { agent_id, trust_level = null, fleet_id = null } = record.agent;
      return told(agent_id, { trust_level, fleet_id });
    }
    case "settings":
      return told(tenant_id, record.tree);
    case "projects":
      return told(tenant_id, { projects: record.projects.map(({ id }) => id) });
    default:
      return record satisfies never;
  }
}

/** Stores documents as they are, inside the caller's transaction; those that are there stay. */
function documentWriter(work: ChangeWork, { batch: { documents_limit }, now }: Batch, clock: Clock) {
  const { tenant_id } = work;
  /** Ids of those that search reads. */
  const searchable: string[] = [];
  let left: number | null = null;
  function* write(incoming: IncomingDocument): Unit<ImportOutcome> {
    const { collection, data, fleet_id = null, created_at, updated_at } = incoming.document;
    const doc_id = yield* storedAs(tenant_id, incoming.document);
    const present = yield* documentRow({ tenant_id, collection, doc_id });
    if (present) return beside(present.data, data);
    left ??= documents_limit - (yield* storedDocuments(work, documents_limit));
    if (left-- <= 0) return refused("The tenant holds as many documents as it may.");
    const stored = yield* insertRow(work, {
      ...{ tenant_id, id: newId(clock), fleet_id, collection, doc_id, data },
      created_at: created_at ?? now,
      updated_at: updated_at ?? created_at ?? now,
      summary: incoming.searchable?.summary ?? null,
      embedded_by: null,
      approval: incoming.approval,
    });
    yield* putMembers(work, stored, data);
    if (incoming.searchable) yield* work.documents.putWords(stored, incoming.searchable);
    if (incoming.searchable) searchable.push(stored.id);
    return CREATED;
  }
  return { searchable, write };
}

/** A rule is the one of its name at its place, and else a new one beside the others. */
function* storedAs(tenant_id: string, document: IncomingDocument["document"]): Unit<string> {
  const { collection, doc_id } = document;
  if (!hasPlaces(collection)) return doc_id;
  const namesakes = yield* namesakesOf({ tenant_id, collection, doc_id });
  return writtenAs(doc_id, namesakes, { place: placeOfDocument(document), keepsOthers: true });
}

interface AgentRow {
  readonly display_name: string | null;
  readonly fleet_id: string | null;
  readonly trust_level: number;
}

/** Stores an agent; one that is there stays. */
function* writeAgent({ tenant_id }: TenantWork, now: string, agent: RecordOf<"agent">): Unit<ImportOutcome> {
  const { agent_id, display_name = null, fleet_id = null, created_at } = agent;
  const wanted: AgentRow = { display_name, fleet_id, trust_level: agent.trust_level ?? 1 };
  const present = yield* row<AgentRow>(sql`select display_name, fleet_id, trust_level from agents
    where tenant_id = ${tenant_id} and agent_id = ${agent_id}`);
  if (present) return beside({ ...present }, { ...wanted });
  yield* run(sql`insert into agents (tenant_id, agent_id, display_name, fleet_id, trust_level, created_at, updated_at)
    values (${tenant_id}, ${agent_id}, ${display_name}, ${fleet_id}, ${wanted.trust_level}, ${created_at ?? now}, ${now})`);
  return CREATED;
}

/** Stores settings; settings that are there stay. */
function* writeSettings({ tenant_id, dialect }: TenantWork, tree: RecordOf<"settings">["tree"]): Unit<ImportOutcome> {
  const changed = yield* run(sql`insert into org_settings (tenant_id, tree) values (${tenant_id}, ${dialect.json(tree)})
    on conflict do nothing`);
  if (changed > 0) return CREATED;
  const present = yield* row<{ tree: unknown }>(sql`select tree from org_settings where tenant_id = ${tenant_id}`);
  return beside(present && jsonIn(present.tree), tree);
}
