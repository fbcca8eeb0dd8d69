import { and, asc, desc, eq, gt, inArray, isNull, lte, max, or, sql } from "drizzle-orm";
import type { SQLiteSelect } from "drizzle-orm/sqlite-core";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { StoredDocument } from "../../../core/ports/document-store.ts";
import type { Page, PageBounds } from "../../../core/ports/page.ts";
import type { InboxQuery, PoisonEntry, PoisonQuery, SkillStore } from "../../../core/ports/skill-store.ts";
import type { MemoryStatus } from "../../../core/schema/memory.ts";
import { addressesOf, SKILL_UPDATES, SKILLS, slugOf } from "../../../core/schema/skill.ts";
import type { EmbedderSpace } from "../../options.ts";
import { memberValue } from "../documents/members.ts";
import { DOCUMENT_SIZE, ofFleets, toDocument } from "../documents/read.ts";
import { removeDocument, upsertDocument } from "../documents/store.ts";
import type { Connections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { pageOf } from "../engine/page-size.ts";
import { documents, memories } from "../engine/tables.ts";
import { memoryWhere } from "../memories/filters.ts";
import { skillPoison } from "./tables.ts";

/** The skill store over SQLite; `jobAdded` is called after a transaction that may have queued work. */
export function sqliteSkillStore(
  at: Connections,
  space: EmbedderSpace,
  clock: Clock,
  jobAdded: () => void,
): SkillStore {
  return {
    change: async (key, actor, decide) => {
      const by = { space, clock, actor };
      const written = await guarded(() =>
        at.transaction(() => {
          const family = familyOf(at.write, key.tenant_id, slugOf(key.doc_id));
          const { before, after, change } = upsertDocument(at, by, key, (current) => decide(current, family));
          if (change.poison) insertPoison(at, change.poison);
          if (change.absorbs) removeDocument(at, by, change.absorbs, () => "skill.absorb");
          return { before, after };
        }),
      );
      jobAdded();
      return written;
    },
    family: (tenant_id, slug) => guarded(() => familyOf(at.read, tenant_id, slug)),
    inbox: (query) => guarded(() => listInbox(at, query)),
    poisonedUntil: (query) => guarded(() => poisonedUntil(at, query)),
    memoryStatuses: (tenant_id, ids) => guarded(() => memoryStatuses(at, tenant_id, ids)),
    tenants: () =>
      guarded(() =>
        at.read
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

function familyOf(db: Connections["read"], tenant_id: string, slug: string): StoredDocument[] {
  const named = and(skillsOf(tenant_id), inArray(documents.doc_id, addressesOf(slug)));
  return db.select().from(documents).where(named).all().map(toDocument);
}

const listInbox = (at: Connections, query: InboxQuery & PageBounds): Page<StoredDocument> =>
  pageOf(
    query,
    (limit) =>
      ofInbox(at.read.select({ size: DOCUMENT_SIZE }).from(documents).$dynamic(), { ...query, limit })
        .all()
        .map(({ size }) => size),
    (limit) =>
      ofInbox(at.read.select().from(documents).$dynamic(), { ...query, limit })
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
function insertPoison(at: Connections, entry: PoisonEntry): void {
  const over = and(eq(skillPoison.tenant_id, entry.tenant_id), lte(skillPoison.expires_at, entry.rejected_at));
  at.write.delete(skillPoison).where(over).run();
  at.write.insert(skillPoison).values(entry).run();
}

function poisonedUntil(at: Connections, { tenant_id, fleet_id, fingerprint, at: now }: PoisonQuery): string | null {
  const barred = and(
    eq(skillPoison.tenant_id, tenant_id),
    eq(skillPoison.fingerprint, fingerprint),
    gt(skillPoison.expires_at, now),
    fleet_id === null ? undefined : or(isNull(skillPoison.fleet_id), eq(skillPoison.fleet_id, fleet_id)),
  );
  const found = at.read
    .select({ until: max(skillPoison.expires_at) })
    .from(skillPoison)
    .where(barred)
    .get();
  return found?.until ?? null;
}

function memoryStatuses(at: Connections, tenant_id: string, ids: readonly string[]): ReadonlyMap<string, MemoryStatus> {
  const rows = at.read
    .select({ id: memories.id, status: memories.status })
    .from(memories)
    .where(memoryWhere({ tenant_id, ids, include_deleted: true }))
    .all();
  return new Map(rows.map(({ id, status }) => [id, status]));
}
