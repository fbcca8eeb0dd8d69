import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import type { StoredDocument } from "../../core/ports/document-store.ts";
import type { Page, PageBounds } from "../../core/ports/page.ts";
import type { DenylistEntry, DenylistQuery, InboxQuery, SkillStore } from "../../core/ports/skill-store.ts";
import type { MemoryStatus } from "../../core/schema/memory.ts";
import { addressesOf, SKILL_UPDATES, SKILLS, slugOf } from "../../core/schema/skill.ts";
import { ofFleets } from "../documents/filters.ts";
import { havingMembers } from "../documents/members.ts";
import { DOCUMENT_COLUMNS, documentSize, documentsOf } from "../documents/read.ts";
import { removeDocument, upsertDocument } from "../documents/write.ts";
import type { SqlDialect } from "../units/dialect.ts";
import { pageOf } from "../units/page.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows, run } from "../units/unit.ts";
import type { Runner, TenantWork, Work } from "../units/work.ts";

/** What skills need beyond documents. */
export function skillStore({ look, snapshot, write }: Runner, clock: Clock): SkillStore {
  return {
    change: (key, actor, decide) =>
      write(key.tenant_id, function* (work) {
        const by = { clock, actor };
        const family = yield* familyOf(work, key.tenant_id, slugOf(key.doc_id));
        const { before, after, change } = yield* upsertDocument(work, by, key, (current) => decide(current, family));
        if (change.denylisted) yield* insertPoison(work, change.denylisted);
        if (change.absorbs) yield* removeDocument(work, by, change.absorbs, () => "skill.absorb");
        return { before, after };
      }),
    family: (tenant_id, slug) => look((work) => familyOf(work, tenant_id, slug)),
    inbox: (query) => snapshot((work) => listInbox(work, query)),
    denylistedUntil: (query) => look(() => denylistedUntil(query)),
    memoryStatuses: (tenant_id, ids) => look((work) => memoryStatuses(work, tenant_id, ids)),
    tenants: () => look(tenantsWithSkills),
  };
}

/** Skills, and updates that wait. */
const COLLECTIONS = [SKILLS, SKILL_UPDATES];
const skillsOf = (dialect: SqlDialect, tenant_id: string): SQL =>
  sql`documents.tenant_id = ${tenant_id} and ${dialect.isIn(sql`documents.collection`, COLLECTIONS)}`;

const familyOf = ({ dialect }: Work, tenant_id: string, slug: string): Unit<StoredDocument[]> =>
  documentsOf(sql`select ${DOCUMENT_COLUMNS} from documents
    where ${skillsOf(dialect, tenant_id)} and ${dialect.isIn(sql`documents.doc_id`, addressesOf(slug))}
    order by collection, doc_id`);

const listInbox = ({ dialect }: Work, query: InboxQuery & PageBounds): Unit<Page<StoredDocument>> =>
  pageOf(
    query,
    (limit) => rows(sql`select ${documentSize(dialect)} as size ${inboxOf(dialect, { ...query, limit })}`),
    (limit) => documentsOf(sql`select ${DOCUMENT_COLUMNS} ${inboxOf(dialect, { ...query, limit })}`),
  );

/** Everything of a statement that lists what waits, but for its columns. */
function inboxOf(dialect: SqlDialect, { tenant_id, fleet_id, fleets, limit, offset }: InboxQuery): SQL {
  const staged = havingMembers(dialect, { tenant_id, collections: COLLECTIONS, where: { status: "staged" } });
  return sql`from documents
    where ${skillsOf(dialect, tenant_id)} and ${fleet_id === null ? sql`true` : sql`documents.fleet_id = ${fleet_id}`}
      and ${ofFleets(dialect, fleets)} and documents.seq in ${staged}
    order by ${dialect.member(sql`documents.data`, "deferred_at")} asc nulls first, documents.created_at desc,
      documents.seq desc
    limit ${limit} offset ${offset}`;
}

/** Keeps an entry, and forgets those of the tenant that have run out. */
function* insertPoison({ tenant_id }: TenantWork, entry: DenylistEntry): Unit<void> {
  const { fleet_id, fingerprint, rejected_by, rejected_at, expires_at, reason } = entry;
  yield* run(sql`delete from skill_poison where tenant_id = ${tenant_id} and expires_at <= ${rejected_at}`);
  yield* run(sql`insert into skill_poison
      (tenant_id, fleet_id, fingerprint, rejected_by, rejected_at, expires_at, reason)
    values (${tenant_id}, ${fleet_id}, ${fingerprint}, ${rejected_by}, ${rejected_at}, ${expires_at}, ${reason})`);
}

function* denylistedUntil({ tenant_id, fleet_id, fingerprint, at }: DenylistQuery): Unit<string | null> {
  const ofFleet = fleet_id === null ? sql`true` : sql`(fleet_id is null or fleet_id = ${fleet_id})`;
  const found = yield* row<{ until: string | null }>(sql`select max(expires_at) as until from skill_poison
    where tenant_id = ${tenant_id} and fingerprint = ${fingerprint} and expires_at > ${at} and ${ofFleet}`);
  return found?.until ?? null;
}

function* memoryStatuses(
  { dialect }: Work,
  tenant_id: string,
  ids: readonly string[],
): Unit<ReadonlyMap<string, MemoryStatus>> {
  const found = yield* rows<{ id: string; status: MemoryStatus }>(sql`select id, status from memories
    where ${dialect.belongs("memories", tenant_id)} and ${dialect.isIn(sql`id`, ids)}`);
  return new Map(found.map(({ id, status }) => [id, status]));
}

function* tenantsWithSkills(): Unit<string[]> {
  const found = yield* rows<{ tenant_id: string }>(
    sql`select distinct tenant_id from documents where collection = ${SKILLS} order by tenant_id`,
  );
  return found.map(({ tenant_id }) => tenant_id);
}
