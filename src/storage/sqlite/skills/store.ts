import { and, asc, desc, eq, gt, inArray, isNull, lte, max, or, sql } from "drizzle-orm";
import type { SQLiteSelect } from "drizzle-orm/sqlite-core";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { StoredDocument } from "../../../core/ports/document-store.ts";
import type { Page, PageBounds } from "../../../core/ports/page.ts";
import type { DenylistEntry, DenylistQuery, InboxQuery, SkillStore } from "../../../core/ports/skill-store.ts";
import type { MemoryStatus } from "../../../core/schema/memory.ts";
import { addressesOf, SKILL_UPDATES, SKILLS, slugOf } from "../../../core/schema/skill.ts";
import { memberValue } from "../../common/members.ts";
import type { EmbedderSpace } from "../../options.ts";
import { DOCUMENT_SIZE, ofFleets, toDocument } from "../documents/read.ts";
import { removeDocument, upsertDocument } from "../documents/store.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { pageOf } from "../engine/page-size.ts";
import { documents, memories } from "../engine/tables.ts";
import { memoryWhere } from "../memories/filters.ts";

/** The skill store over SQLite; `jobAdded` is called after a transaction that may have queued work. */
export function sqliteSkillStore(db: Engine, space: EmbedderSpace, clock: Clock, jobAdded: () => void): SkillStore {
  return {
    change: async (key, actor, decide) => {
      const by = { space, clock, actor };
      const written = await guarded(() =>
        db.write(() => {
          const family = familyOf(db.drizzleWrite, key.tenant_id, slugOf(key.doc_id));
          const { before, after, change } = upsertDocument(db, by, key, (current) => decide(current, family));
          if (change.denylisted) insertPoison(db, change.denylisted);
          if (change.absorbs) removeDocument(db, by, change.absorbs, () => "skill.absorb");
          return { before, after };
        }),
      );
      jobAdded();
      return written;
    },
    family: (tenant_id, slug) => guarded(() => familyOf(db.drizzleRead, tenant_id, slug)),
    inbox: (query) => guarded(() => listInbox(db, query)),
    denylistedUntil: (query) => guarded(() => denylistedUntil(db, query)),
    memoryStatuses: (tenant_id, ids) => guarded(() => memoryStatuses(db, tenant_id, ids)),
    tenants: () =>
      guarded(() =>
        db.drizzleRead
          .selectDistinct({ tenant_id: documents.tenant_id })
          .from(documents)
          .where(eq(documents.collection, SKILLS))
          .orderBy(asc(documents.tenant_id))
          .all()
          .map(({ tenant_id }) => tenant_id),
      ),
  };
}

/** Skills, and updates that wait. */
const COLLECTIONS = [SKILLS, SKILL_UPDATES];

const skillsOf = (tenant_id: string) =>
  and(eq(documents.tenant_id, tenant_id), inArray(documents.collection, COLLECTIONS));

function familyOf(db: Connections["drizzleRead"], tenant_id: string, slug: string): StoredDocument[] {
  const named = and(skillsOf(tenant_id), inArray(documents.doc_id, addressesOf(slug)));
  return db.select().from(documents).where(named).all().map(toDocument);
}

const listInbox = (db: Connections, query: InboxQuery & PageBounds): Page<StoredDocument> =>
  pageOf(
    query,
    (limit) =>
      ofInbox(db.drizzleRead.select({ size: DOCUMENT_SIZE }).from(documents).$dynamic(), { ...query, limit })
        .all()
        .map(({ size }) => size),
    (limit) =>
      ofInbox(db.drizzleRead.select().from(documents).$dynamic(), { ...query, limit })
        .all()
        .map(toDocument),
  );

function ofInbox<T extends SQLiteSelect>(rows: T, { tenant_id, fleet_id, fleets, limit, offset }: InboxQuery) {
  const deferred = sql`json_extract(${documents.data}, '$.deferred_at')`;
  const staged = sql`${documents.seq} in (select m.seq from document_members m where m.tenant_id = ${tenant_id}
    and m.collection in (${SKILLS}, ${SKILL_UPDATES}) and m.name = 'status' and m.value = ${memberValue("staged")})`;
  return (
    rows
      .where(
        and(
          skillsOf(tenant_id),
          fleet_id === null ? undefined : eq(documents.fleet_id, fleet_id),
          ofFleets(fleets),
          staged,
        ),
      )
      // What is null comes first.
      .orderBy(asc(deferred), desc(documents.created_at), desc(documents.seq))
      .limit(limit)
      .offset(offset)
  );
}

/** Keeps an entry, and forgets those of the tenant that have run out. */
function insertPoison(db: Connections, entry: DenylistEntry): void {
  const over = and(eq(skillDenylist.tenant_id, entry.tenant_id), lte(skillDenylist.expires_at, entry.rejected_at));
  db.drizzleWrite.delete(skillDenylist).where(over).run();
  db.drizzleWrite.insert(skillDenylist).values(entry).run();
}

function denylistedUntil(db: Connections, { tenant_id, fleet_id, fingerprint, at: now }: DenylistQuery): string | null {
  const barred = and(
    eq(skillDenylist.tenant_id, tenant_id),
    eq(skillDenylist.fingerprint, fingerprint),
    gt(skillDenylist.expires_at, now),
    fleet_id === null ? undefined : or(isNull(skillDenylist.fleet_id), eq(skillDenylist.fleet_id, fleet_id)),
  );
  const found = db.drizzleRead
    .select({ until: max(skillDenylist.expires_at) })
    .from(skillDenylist)
    .where(barred)
    .get();
  return found?.until ?? null;
}

function memoryStatuses(db: Connections, tenant_id: string, ids: readonly string[]): ReadonlyMap<string, MemoryStatus> {
  const rows = db.drizzleRead
    .select({ id: memories.id, status: memories.status })
    .from(memories)
    .where(memoryWhere({ tenant_id, ids, include_deleted: true }))
    .all();
  return new Map(rows.map(({ id, status }) => [id, status]));
}

/** Fingerprints of rejected skills, each barred until it expires. */
export const skillDenylist = sqliteTable(
  "skill_poison",
  {
    id: integer().primaryKey(),
    tenant_id: text().notNull(),
    fleet_id: text(),
    fingerprint: text().notNull(),
    rejected_by: text(),
    rejected_at: text().notNull(),
    expires_at: text().notNull(),
    reason: text().notNull(),
  },
  (t) => [
    index("skill_poison_by_fingerprint").on(t.tenant_id, t.fingerprint, t.expires_at),
    index("skill_poison_by_expiry").on(t.tenant_id, t.expires_at),
  ],
);
