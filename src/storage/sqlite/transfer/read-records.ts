import type { Database, SQLQueryBindings } from "bun:sqlite";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { ExportFilter } from "../../../core/ports/keeping/transfer.ts";
import type { TrustLevel } from "../../../core/schema/access.ts";
import type { EntityType } from "../../../core/schema/entity.ts";
import type { RecordOf, TransferRecord } from "../../../core/schema/keeping/transfer.ts";
import type { SkillApproval } from "../../../core/schema/skill.ts";
import { documentRecord, partsOf } from "../../common/transfer/records.ts";
import { readFindings } from "./read-findings.ts";
import { readMemories } from "./read-memories.ts";

/** Rows looked at at a time: few enough that nobody waits for them. */
const ROWS_PER_PART = 200;
/** The same of documents, each of which may be large. */
const DOCUMENTS_PER_PART = 10;

/**
 * A query whose rows are read a part at a time, by their numbers: from one on and up to another, which are its last parameters. What
 * passes no filter is walked past, not looked for, so that no part takes long.
 */
interface Parts<Row> {
  readonly table: string;
  readonly rowsPerPart?: number;
  readonly sql: string;
  readonly bound: readonly SQLQueryBindings[];
  toRecord(row: Row): TransferRecord;
}

/** All records of the filter, in the order in which they can be taken in again. */
export function* readRecords(db: Database, filter: ExportFilter): Generator<readonly TransferRecord[]> {
  const { isWhole, isOfFleet } = partsOf(filter);
  if (isWhole) {
    yield readSettings(db, filter);
    yield* inParts(db, agents(filter));
  }
  if (isOfFleet) {
    yield* inParts(db, entities(db, filter));
    yield* inParts(db, relations(filter));
    yield* inParts(db, documents(filter));
  }
  yield* readMemories(db, filter, ROWS_PER_PART);
  yield* readFindings(db, filter, ROWS_PER_PART);
}

function* inParts<Row>(
  db: Database,
  { table, rowsPerPart = ROWS_PER_PART, sql, bound, toRecord }: Parts<Row>,
): Generator<readonly TransferRecord[]> {
  const some = db.query<Row, SQLQueryBindings[]>(sql);
  const last = db.query<{ seq: number | null }, []>(`select max(seq) as seq from ${table}`).get()?.seq ?? 0;
  for (let from = 0; from <= last; from += rowsPerPart)
    yield some.all(...bound, from, from + rowsPerPart).map(toRecord);
}

function readSettings(db: Database, { tenant_id }: ExportFilter): TransferRecord[] {
  const found = db.query<{ tree: string }, [string]>("select tree from org_settings where tenant_id = ?");
  return found.all(tenant_id).map(({ tree }) => ({ record: "settings", tree: objectOf(tree) ?? {} }));
}

/** Safe: the columns of JSON hold what was written from objects. */
const objectOf = (text: string | null): JsonObject | null => (text === null ? null : (JSON.parse(text) as JsonObject));

/** Safe: the store wrote it from an approval. */
const approvalOf = (text: string | null): SkillApproval | null =>
  text === null ? null : (JSON.parse(text) as SkillApproval);

interface AgentRow extends Omit<RecordOf<"agent">, "record"> {
  readonly trust_level: TrustLevel;
}

const agents = ({ tenant_id }: ExportFilter): Parts<AgentRow> => ({
  table: "agents",
  sql: `select agent_id, display_name, fleet_id, trust_level, created_at from agents
    where +tenant_id = ? and seq >= ? and seq < ? order by seq`,
  bound: [tenant_id],
  toRecord: (agent) => ({ record: "agent", ...agent }),
});

interface NamedRow {
  readonly seq: number;
  readonly entity_type: EntityType;
  readonly canonical_name: string;
  readonly created_at: string;
}
interface EntryRow extends NamedRow {
  readonly fleet_id: string | null;
  readonly attributes: string | null;
  readonly updated_at: string;
}

/** Names that only texts have follow from these; they come along so that what refers to them finds them. */
function entities(db: Database, { tenant_id, fleet_id }: ExportFilter): Parts<NamedRow> {
  const entries = db.query<EntryRow, [number]>("select * from entity_entries where entity_seq = ? order by seq");
  const aliases = db.query<{ name: string }, [number, number]>(
    "select name from entity_aliases where entity_seq = ? and memory_seq = ? order by alias_key",
  );
  const isOfFleet = (entry: EntryRow) => fleet_id === undefined || entry.fleet_id === fleet_id || !entry.fleet_id;
  return {
    table: "entities",
    sql: `select seq, entity_type, canonical_name, created_at from entities e
      where +tenant_id = ?1 and (?2 is null
        or exists (select 1 from entity_entries h where h.entity_seq = e.seq and h.fleet_id = ?2)
        or exists (select 1 from relations r where r.tenant_id = ?1 and r.from_seq = e.seq and r.fleet_id = ?2)
        or exists (select 1 from relations r where r.to_seq = e.seq and r.fleet_id = ?2)
      ) and seq >= ?3 and seq < ?4 order by seq`,
    bound: [tenant_id, fleet_id ?? null],
    toRecord: ({ seq: entity_seq, ...entity }) => ({
      record: "entity",
      ...entity,
      entries: entries
        .all(entity_seq)
        .filter(isOfFleet)
        .map(({ seq, fleet_id, entity_type, canonical_name, attributes, created_at, updated_at }) => ({
          fleet_id,
          entity_type,
          canonical_name,
          attributes: objectOf(attributes),
          aliases: aliases.all(entity_seq, -seq).map(({ name }) => name),
          created_at,
          updated_at,
        })),
    }),
  };
}

type RelationRow = Omit<RecordOf<"relation">, "record">;

const relations = ({ tenant_id, fleet_id }: ExportFilter): Parts<RelationRow> => ({
  table: "relations",
  sql: `select r.id, r.fleet_id, f.id as from_entity_id, f.canonical_name as from_name, r.relation_type,
      t.id as to_entity_id, t.canonical_name as to_name, r.weight, r.evidence_memory_id, r.created_at, r.updated_at
    from relations r join entities f on f.seq = r.from_seq join entities t on t.seq = r.to_seq
    where +r.tenant_id = ?1 and (?2 is null or r.fleet_id = ?2) and r.seq >= ?3 and r.seq < ?4 order by r.seq`,
  bound: [tenant_id, fleet_id ?? null],
  toRecord: (relation) => ({ record: "relation", ...relation }),
});

interface DocumentRow {
  readonly fleet_id: string | null;
  readonly collection: string;
  readonly doc_id: string;
  readonly data: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly approval: string | null;
}

const documents = ({ tenant_id, fleet_id }: ExportFilter): Parts<DocumentRow> => ({
  table: "documents",
  rowsPerPart: DOCUMENTS_PER_PART,
  sql: `select fleet_id, collection, doc_id, data, created_at, updated_at, approval from documents
    where +tenant_id = ?1 and (?2 is null or +fleet_id = ?2) and seq >= ?3 and seq < ?4 order by seq`,
  bound: [tenant_id, fleet_id ?? null],
  toRecord: ({ data, approval, ...document }) =>
    documentRecord({ ...document, data: objectOf(data) ?? {} }, approvalOf(approval)),
});
