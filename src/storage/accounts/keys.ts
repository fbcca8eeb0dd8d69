import { sql } from "drizzle-orm";
import type { KeyStore, StoredKey } from "../../core/ports/account-stores.ts";
import type { Actor } from "../../core/ports/memory-store.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows, run } from "../units/unit.ts";
import type { ChangeWork, Runner } from "../units/work.ts";
import { insertAudit } from "./audit.ts";

/** The key store; only hashes of keys are in it. */
export const keyStore = ({ look, write }: Runner): KeyStore => ({
  add: (key, actor) => write(key.tenant_id, (work) => addKey(work, key, actor)),
  find: (key_hash) => look(() => findKey(key_hash)),
  list: (tenant_id) => look(() => listKeys(tenant_id)),
  revoke: (tenant_id, id, now, actor) => write(tenant_id, (work) => revokeKey(work, id, now, actor)),
  any: () => look(anyKey),
});

/** One engine has no truth values: there it is 1 or 0. */
const toKey = (stored: StoredKey): StoredKey => ({ ...stored, admin: Boolean(stored.admin) });

function* findKey(key_hash: string): Unit<StoredKey | null> {
  const found = yield* row<StoredKey>(sql`select * from api_keys where key_hash = ${key_hash}`);
  return found && toKey(found);
}

function* listKeys(tenant_id: string): Unit<StoredKey[]> {
  const found = yield* rows<StoredKey>(
    sql`select * from api_keys where tenant_id = ${tenant_id} order by created_at, id`,
  );
  return found.map(toKey);
}

function* anyKey(): Unit<boolean> {
  return (yield* row(sql`select 1 as one from api_keys where revoked_at is null limit 1`)) !== null;
}

function* addKey(work: ChangeWork, key: StoredKey, actor: Actor): Unit<void> {
  const { tenant_id, dialect } = work;
  const { id, agent_id, fleet_id, trust, created_at } = key;
  yield* run(sql`insert into api_keys
      (id, key_hash, key_prefix, tenant_id, agent_id, fleet_id, trust, admin, label, created_at, revoked_at)
    values (${id}, ${key.key_hash}, ${key.key_prefix}, ${tenant_id}, ${agent_id}, ${fleet_id}, ${trust},
      ${dialect.truth(key.admin)}, ${key.label}, ${created_at}, ${key.revoked_at})`);
  if (agent_id !== null)
    yield* run(sql`insert into agents (tenant_id, agent_id, fleet_id, trust_level, created_at, updated_at)
      values (${tenant_id}, ${agent_id}, ${fleet_id}, ${trust}, ${created_at}, ${created_at})
      on conflict (tenant_id, agent_id) do update set trust_level = excluded.trust_level,
        updated_at = excluded.updated_at, fleet_id = coalesce(excluded.fleet_id, agents.fleet_id)`);
  const event = { at: created_at, action: "key.create", target_id: id, before: null, reason: null };
  yield* insertAudit(work, actor, [{ ...event, after: powersOf(key) }]);
}

/** What an audit row shows of a key. */
const powersOf = ({ agent_id, fleet_id, trust, admin }: StoredKey) => ({ agent_id, fleet_id, trust, admin });

/** Ends a key in use, inside the caller's transaction; false when there is no such. */
export function* revokeKey(work: ChangeWork, id: string, now: string, actor: Actor): Unit<boolean> {
  const revoked = yield* row<StoredKey>(sql`update api_keys set revoked_at = ${now}
    where tenant_id = ${work.tenant_id} and id = ${id} and revoked_at is null returning *`);
  if (!revoked) return false;
  const event = { at: now, action: "key.revoke", target_id: id, before: powersOf(toKey(revoked)), reason: null };
  yield* insertAudit(work, actor, [{ ...event, after: { revoked_at: now } }]);
  return true;
}
