import { and, asc, eq, isNull } from "drizzle-orm";
import type { KeyStore, StoredKey } from "../../../core/ports/account-stores.ts";
import type { Actor } from "../../../core/ports/memory-store.ts";
import type { Connections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { agents, apiKeys } from "../engine/tables.ts";
import { insertAudit } from "./audit.ts";

/** The key store over SQLite; only hashes of keys are in it. */
export function sqliteKeyStore(db: Connections): KeyStore {
  return {
    add: (key, actor) => guarded(() => db.transaction(() => addKey(db, key, actor))),
    find: (key_hash) =>
      guarded(() => db.drizzleRead.select().from(apiKeys).where(eq(apiKeys.key_hash, key_hash)).get() ?? null),
    list: (tenant_id) =>
      guarded(() =>
        db.drizzleRead
          .select()
          .from(apiKeys)
          .where(eq(apiKeys.tenant_id, tenant_id))
          .orderBy(asc(apiKeys.created_at))
          .all(),
      ),
    revoke: (tenant_id, id, now, actor) =>
      guarded(() => db.transaction(() => revokeKey(db, { tenant_id, id }, now, actor))),
    any: () =>
      guarded(
        () =>
          db.drizzleRead.select({ id: apiKeys.id }).from(apiKeys).where(isNull(apiKeys.revoked_at)).get() !== undefined,
      ),
  };
}

function addKey(db: Connections, key: StoredKey, actor: Actor): void {
  db.drizzleWrite.insert(apiKeys).values(key).run();
  const { tenant_id, agent_id, fleet_id, trust, created_at } = key;
  if (agent_id !== null) {
    const row = { tenant_id, agent_id, fleet_id, trust_level: trust, created_at, updated_at: created_at };
    db.drizzleWrite
      .insert(agents)
      .values(row)
      .onConflictDoUpdate({
        target: [agents.tenant_id, agents.agent_id],
        set: { trust_level: trust, updated_at: created_at, ...(fleet_id === null ? {} : { fleet_id }) },
      })
      .run();
  }
  const after = powersOf(key);
  insertAudit(db, actor, [
    { tenant_id, at: created_at, action: "key.create", target_id: key.id, before: null, after, reason: null },
  ]);
}

/** What an audit row shows of a key. */
const powersOf = ({ agent_id, fleet_id, trust, admin }: StoredKey) => ({ agent_id, fleet_id, trust, admin });

/** Ends a key in use, inside the caller's transaction; false when there is no such. */
export function revokeKey(db: Connections, key: { tenant_id: string; id: string }, now: string, actor: Actor): boolean {
  const inUse = and(eq(apiKeys.tenant_id, key.tenant_id), eq(apiKeys.id, key.id), isNull(apiKeys.revoked_at));
  const revoked = db.drizzleWrite.update(apiKeys).set({ revoked_at: now }).where(inUse).returning().get();
  if (!revoked) return false;
  insertAudit(db, actor, [
    {
      tenant_id: key.tenant_id,
      at: now,
      action: "key.revoke",
      target_id: key.id,
      before: powersOf(revoked),
      after: { revoked_at: now },
      reason: null,
    },
  ]);
  return true;
}
