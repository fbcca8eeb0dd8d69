import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { StoredDocument } from "../../../core/ports/document-store.ts";
import type { Page, PageBounds } from "../../../core/ports/page.ts";
import type { DenylistEntry, DenylistQuery, InboxQuery, SkillStore } from "../../../core/ports/skill-store.ts";
import type { MemoryStatus } from "../../../core/schema/memory.ts";
import { addressesOf, SKILL_UPDATES, SKILLS, slugOf } from "../../../core/schema/skill.ts";
import { ofFleets } from "../documents/filters.ts";
import { havingMembers } from "../documents/members.ts";
import type { DocumentRow } from "../documents/read.ts";
import { DOCUMENT_SIZE, toDocument } from "../documents/read.ts";
import { removeDocument, upsertDocument } from "../documents/store.ts";
import { pageOf } from "../engine/page-size.ts";
import { textArray } from "../engine/values.ts";
import type { Engine, TenantWork, Work } from "../engine/work.ts";

/** The skill store over Postgres. */
export function postgresSkillStore(engine: Engine, clock: Clock): SkillStore {
  return {
    change: (key, actor, decide) =>
      engine.write(key.tenant_id, async (work) => {
        const by = { clock, actor };
        const family = await familyOf(work, key.tenant_id, slugOf(key.doc_id));
        const { before, after, change } = await upsertDocument(work, by, key, (current) => decide(current, family));
        if (change.denylisted) await insertPoison(work, change.denylisted);
        if (change.absorbs) await removeDocument(work, by, change.absorbs, () => "skill.absorb");
        return { before, after };
      }),
    family: (tenant_id, slug) => engine.look((work) => familyOf(work, tenant_id, slug)),
    inbox: (query) => engine.snapshot((work) => listInbox(work, query)),
    denylistedUntil: (query) => engine.look((work) => denylistedUntil(work, query)),
    memoryStatuses: (tenant_id, ids) => engine.look((work) => memoryStatuses(work, tenant_id, ids)),
    tenants: () =>
      engine.look(async (work) => {
        const rows = await work.rows<{ tenant_id: string }>(
          sql`select distinct tenant_id from documents where collection = ${SKILLS} order by tenant_id`,
        );
        return rows.map(({ tenant_id }) => tenant_id);
      }),
  };
}

/** Skills, and updates that wait. */
const skillsOf = (tenant_id: string): SQL =>
  sql`documents.tenant_id = ${tenant_id} and documents.collection in (${SKILLS}, ${SKILL_UPDATES})`;

async function familyOf(work: Work, tenant_id: string, slug: string): Promise<StoredDocument[]> {
  const rows = await work.rows<DocumentRow>(sql`select * from documents
    where ${skillsOf(tenant_id)} and doc_id = any(${textArray(addressesOf(slug))}) order by collection, doc_id`);
  return rows.map(toDocument);
}

const listInbox = (work: Work, query: InboxQuery & PageBounds): Promise<Page<StoredDocument>> =>
  pageOf(
    query,
    async (limit) => {
      const rows = await work.rows<{ size: number }>(
        sql`select ${DOCUMENT_SIZE} as size ${inboxOf({ ...query, limit })}`,
      );
      return rows.map(({ size }) => size);
    },
    async (limit) => {
      const rows = await work.rows<DocumentRow>(sql`select documents.* ${inboxOf({ ...query, limit })}`);
      return rows.map(toDocument);
    },
  );

/** Everything of a statement that lists what waits, but for its columns. */
function inboxOf({ tenant_id, fleet_id, fleets, limit, offset }: InboxQuery): SQL {
  const staged = havingMembers({ tenant_id, collections: [SKILLS, SKILL_UPDATES], where: { status: "staged" } });
  return sql`from documents
    where ${skillsOf(tenant_id)} and (${fleet_id}::text is null or documents.fleet_id = ${fleet_id})
      and ${ofFleets(fleets)} and documents.seq in ${staged}
    order by (documents.data ->> 'deferred_at') collate "C" asc nulls first, documents.created_at desc,
      documents.seq desc
    limit ${limit} offset ${offset}`;
}

/** Keeps an entry, and forgets those of the tenant that have run out. */
async function insertPoison(work: TenantWork, entry: DenylistEntry): Promise<void> {
  const { fleet_id, fingerprint, rejected_by, rejected_at, expires_at, reason } = entry;
  await work.run(sql`delete from skill_poison where tenant_id = ${work.tenant_id} and expires_at <= ${rejected_at}`);
  await work.run(sql`insert into skill_poison
      (tenant_id, fleet_id, fingerprint, rejected_by, rejected_at, expires_at, reason)
    values (${work.tenant_id}, ${fleet_id}, ${fingerprint}, ${rejected_by}, ${rejected_at}, ${expires_at}, ${reason})`);
}

async function denylistedUntil(
  work: Work,
  { tenant_id, fleet_id, fingerprint, at }: DenylistQuery,
): Promise<string | null> {
  const found = await work.row<{ until: string | null }>(sql`select max(expires_at) as until from skill_poison
    where tenant_id = ${tenant_id} and fingerprint = ${fingerprint} and expires_at > ${at}
      and (${fleet_id}::text is null or fleet_id is null or fleet_id = ${fleet_id})`);
  return found?.until ?? null;
}

async function memoryStatuses(
  work: Work,
  tenant_id: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MemoryStatus>> {
  const rows = await work.rows<{ id: string; status: MemoryStatus }>(
    sql`select id, status from memories where tenant_id = ${tenant_id} and id = any(${textArray(ids)})`,
  );
  return new Map(rows.map(({ id, status }) => [id, status]));
}
