import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { JsonObject } from "../../core/kernel/json.ts";
import type { ExportFilter } from "../../core/ports/keeping/transfer.ts";
import type { TrustLevel } from "../../core/schema/access.ts";
import type { RecordOf, TransferRecord } from "../../core/schema/keeping/transfer.ts";
import { KEYSTONES } from "../../core/schema/keystone.ts";
import { KEYSTONE_PROPOSALS } from "../../core/schema/keystone-proposal.ts";
import { shownName } from "../../core/schema/keystones/names.ts";
import { ProjectRegistry } from "../../core/schema/projects/registry.ts";
import type { SkillApproval } from "../../core/schema/skill.ts";
import { SKILL_UPDATES, SKILLS } from "../../core/schema/skill.ts";
import { jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import type { Work } from "../units/work.ts";
import type { Moment, Part } from "./parts.ts";
import { inParts, isOfFleet, isOfOwner } from "./parts.ts";
import { entityRecords } from "./read-entities.ts";
import { readMemories } from "./read-memories.ts";

/** Documents read at a time, each of which may be large. */
const DOCUMENTS_PER_PART = 10;

/** All records of the filter, in the order in which they can be taken in again. */
export async function* readRecords(moment: Moment, filter: ExportFilter): AsyncGenerator<readonly TransferRecord[]> {
  const { fleet_id, agent_id, created_after, created_before } = filter;
  const isWhole = fleet_id === undefined && !agent_id && !created_after && !created_before;
  if (isWhole) {
    yield await moment.read(() => settings(filter));
    yield await moment.read(() => projects(filter));
    yield* inParts(moment, filter, { table: "agents", records: agents });
  }
  if (isWhole || (fleet_id !== undefined && !agent_id)) {
    yield* inParts(moment, filter, { table: "entities", records: entityRecords });
    yield* inParts(moment, filter, { table: "relations", records: relations });
    yield* inParts(moment, filter, { table: "documents", rowsPerPart: DOCUMENTS_PER_PART, records: documents });
  }
  yield* readMemories(moment, filter);
  yield* inParts(moment, filter, { table: "findings", number: "id", records: findings });
}

function* settings({ tenant_id }: ExportFilter): Unit<TransferRecord[]> {
  const found = yield* rows<{ tree: unknown }>(sql`select tree from org_settings where tenant_id = ${tenant_id}`);
  return found.map(({ tree }) => ({ record: "settings", tree: jsonIn<JsonObject>(tree) }));
}

function* projects({ tenant_id }: ExportFilter): Unit<TransferRecord[]> {
  const found = yield* rows<{ tree: unknown }>(sql`select tree from project_registries where tenant_id = ${tenant_id}`);
  return found.map(({ tree }) => ({ record: "projects", ...ProjectRegistry.parse(jsonIn(tree)) }));
}

interface AgentRow extends Omit<RecordOf<"agent">, "record"> {
  readonly trust_level: TrustLevel;
}

function* agents(_work: Work, { isWithin }: Part): Unit<TransferRecord[]> {
  const found = yield* rows<AgentRow>(sql`select t.agent_id, t.display_name, t.fleet_id, t.trust_level, t.created_at
    from agents t where ${isWithin} order by t.seq`);
  return found.map((agent) => ({ record: "agent", ...agent }));
}

function* relations({ dialect }: Work, { filter, isWithin }: Part): Unit<TransferRecord[]> {
  const found = yield* rows<Omit<RecordOf<"relation">, "record">>(sql`
    select t.id, t.fleet_id, x.id as from_entity_id, x.canonical_name as from_name, t.relation_type,
      y.id as to_entity_id, y.canonical_name as to_name, t.weight, t.evidence_memory_id, t.created_at, t.updated_at
    from relations t
    ${dialect.nested} entities x on ${dialect.belongs("x", sql`t.tenant_id`)} and x.seq = t.from_seq
    ${dialect.nested} entities y on ${dialect.belongs("y", sql`t.tenant_id`)} and y.seq = t.to_seq
    where ${isWithin} and ${isOfFleet("t", filter)} order by t.seq`);
  return found.map((relation) => ({ record: "relation", ...relation }));
}

interface DocumentRow extends Omit<RecordOf<"document">, "record" | "data"> {
  readonly data: unknown;
  readonly approval: unknown;
}

function* documents(_work: Work, { filter, isWithin }: Part): Unit<TransferRecord[]> {
  const found = yield* rows<DocumentRow>(sql`
    select t.fleet_id, t.collection, t.doc_id, t.data, t.created_at, t.updated_at, t.approval from documents t
    where ${isWithin} and ${isOfFleet("t", filter)} order by t.seq`);
  return found.map(({ data, approval, ...document }) => {
    const stored = { ...document, doc_id: shownName(document), data: jsonIn<JsonObject>(data) };
    const record = kindOf(document.collection);
    const approved = jsonIn<SkillApproval | null>(approval);
    return record === "skill" && approved ? { record, ...stored, approval: approved } : { record, ...stored };
  });
}

/** What the record of a document in a collection is called. */
const kindOf = (collection: string): "keystone" | "skill" | "document" => {
  if (collection === KEYSTONES || collection === KEYSTONE_PROPOSALS) return "keystone";
  return collection === SKILLS || collection === SKILL_UPDATES ? "skill" : "document";
};

/** Findings about texts as they are now, standing or taken back, whose two memories pass the filter. */
function* findings({ dialect }: Work, { filter, isWithin }: Part): Unit<TransferRecord[]> {
  const { created_after, created_before } = filter;
  const among = (table: "n" | "o"): SQL => {
    const created_at = sql.raw(`${table}.created_at`);
    const since = created_after === undefined ? sql`` : sql`and ${created_at} >= ${created_after}`;
    const until = created_before === undefined ? sql`` : sql`and ${created_at} < ${created_before}`;
    return sql`${isOfOwner(table, filter)} ${since} ${until}`;
  };
  const found = yield* rows<Omit<RecordOf<"finding">, "record">>(sql`
    select n.id as newer_id, o.id as older_id, t.status, t.rule, t.confidence, t.why,
      t.newer_start, t.newer_end, t.older_start, t.older_end, t.created_at, t.retracted_at, t.retracted_why,
      t.detected_status, t.review, t.reviewed_at, t.reviewed_by
    from findings t
    ${dialect.nested} memories n on ${dialect.belongs("n", sql`t.tenant_id`)} and n.seq = t.newer_seq
      and n.deleted_at is null and n.content_hash = t.newer_hash
    ${dialect.nested} memories o on ${dialect.belongs("o", sql`t.tenant_id`)} and o.seq = t.older_seq
      and o.deleted_at is null and o.content_hash = t.older_hash
    where ${isWithin} and ${among("n")} and ${among("o")} order by t.id`);
  return found.map((finding) => ({ record: "finding", ...finding }));
}
