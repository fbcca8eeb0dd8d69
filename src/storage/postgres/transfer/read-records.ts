import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { ExportFilter } from "../../../core/ports/keeping/transfer.ts";
import type { TrustLevel } from "../../../core/schema/access.ts";
import type { RecordOf, TransferRecord } from "../../../core/schema/keeping/transfer.ts";
import type { SkillApproval } from "../../../core/schema/skill.ts";
import { documentRecord, partsOf } from "../../common/transfer/records.ts";
import type { Read } from "./moment.ts";
import { entityParts } from "./read-entities.ts";
import { readFindings } from "./read-findings.ts";
import { readMemories } from "./read-memories.ts";
import type { Parts } from "./read-parts.ts";
import { inParts, ROWS_PER_PART } from "./read-parts.ts";

/** Of documents, each of which may be large. */
const DOCUMENTS_PER_PART = 10;

/** All records of the filter, in the order in which they can be taken in again. */
export async function* readRecords(read: Read, filter: ExportFilter): AsyncGenerator<readonly TransferRecord[]> {
  const { isWhole, isOfFleet } = partsOf(filter);
  if (isWhole) {
    yield await readSettings(read, filter);
    yield* inParts(read, agents(filter));
  }
  if (isOfFleet) {
    yield* inParts(read, entityParts(filter));
    yield* inParts(read, relations(filter));
    yield* inParts(read, documents(filter));
  }
  yield* readMemories(read, filter, ROWS_PER_PART);
  yield* readFindings(read, filter, ROWS_PER_PART);
}

async function readSettings(read: Read, { tenant_id }: ExportFilter): Promise<TransferRecord[]> {
  const found = await read((work) =>
    work.rows<{ tree: JsonObject }>(sql`select tree from org_settings where tenant_id = ${tenant_id}`),
  );
  return found.map(({ tree }) => ({ record: "settings", tree }));
}

interface AgentRow extends Omit<RecordOf<"agent">, "record"> {
  readonly trust_level: TrustLevel;
}

const agents = ({ tenant_id }: ExportFilter): Parts<AgentRow> => ({
  select: (after, limit) => sql`select seq, agent_id, display_name, fleet_id, trust_level, created_at from agents
    where tenant_id = ${tenant_id} and seq > ${after} order by seq limit ${limit}`,
  toRecords: async (rows) => rows.map(({ seq: _, ...agent }) => ({ record: "agent", ...agent })),
});

/** Holds for the rows of a fleet, or for all without one. */
const ofFleet = (column: SQL, { fleet_id }: ExportFilter): SQL =>
  fleet_id === undefined ? sql`true` : sql`${column} = ${fleet_id}`;

type RelationRow = Omit<RecordOf<"relation">, "record">;

const relations = (filter: ExportFilter): Parts<RelationRow> => ({
  select: (after, limit) => sql`
    select r.seq, r.id, r.fleet_id, f.id as from_entity_id, f.canonical_name as from_name, r.relation_type,
      t.id as to_entity_id, t.canonical_name as to_name, r.weight, r.evidence_memory_id, r.created_at, r.updated_at
    from relations r join entities f on f.tenant_id = r.tenant_id and f.seq = r.from_seq
      join entities t on t.tenant_id = r.tenant_id and t.seq = r.to_seq
    where r.tenant_id = ${filter.tenant_id} and ${ofFleet(sql`r.fleet_id`, filter)} and r.seq > ${after}
    order by r.seq limit ${limit}`,
  toRecords: async (rows) => rows.map(({ seq: _, ...relation }) => ({ record: "relation", ...relation })),
});

interface DocumentRow {
  readonly fleet_id: string | null;
  readonly collection: string;
  readonly doc_id: string;
  readonly data: JsonObject;
  readonly created_at: string;
  readonly updated_at: string;
  readonly approval: SkillApproval | null;
}

const documents = (filter: ExportFilter): Parts<DocumentRow> => ({
  rowsPerPart: DOCUMENTS_PER_PART,
  select: (
    after,
    limit,
  ) => sql`select seq, fleet_id, collection, doc_id, data, created_at, updated_at, approval from documents
    where tenant_id = ${filter.tenant_id} and ${ofFleet(sql`fleet_id`, filter)} and seq > ${after}
    order by seq limit ${limit}`,
  toRecords: async (rows) => rows.map(({ seq: _, approval, ...row }) => documentRecord(row, approval)),
});
