import { sql } from "drizzle-orm";
import type { KeyStore, StoredKey } from "../../../core/ports/account-stores.ts";
import type { Actor } from "../../../core/ports/memory-store.ts";
import type { Engine, TenantWork } from "../engine/work.ts";
import { insertAudit } from "./audit-rows.ts";

/** The key store over Postgres; only hashes of keys are in it. */
export function postgresKeyStore(engine: Engine): KeyStore {
  return {
    add: (key, actor) => engine.write(key.tenant_id, (work) => addKey(work, key, actor)),
    find: (key_hash) =>
      engine.look((work) => work.row<StoredKey>(sql`select * from api_keys where key_hash = ${key_hash}`)),
    list: (tenant_id) =>
      engine.look((work) =>
        work.rows<StoredKey>(sql`select * from api_keys where tenant_id = ${tenant_id} order by created_at, id`),
      ),
    revoke: (tenant_id, id, now, actor) => engine.write(tenant_id, (work) => revokeKey(work, id, now, actor)),
    any: () =>
      engine.look(async (work) => {
        const found = await work.row(sql`select 1 as one from api_keys where revoked_at is null limit 1`);
        return found !== null;
      }),
  };
}

async function addKey(work: TenantWork, key: StoredKey, actor: Actor): Promise<void> {
  const { id, agent_id, fleet_id, trust, created_at } = key;
  await work.run(sql`insert into api_keys
      (id, key_hash, key_prefix, tenant_id, agent_id, fleet_id, trust, admin, label, created_at, revoked_at)
    values (${id}, ${key.key_hash}, ${key.key_prefix}, ${work.tenant_id}, ${agent_id}, ${fleet_id}, ${trust},
      ${key.admin}, ${key.label}, ${created_at}, ${key.revoked_at})`);
  if (agent_id !== null)
    await work.run(sql`insert into agents (tenant_id, agent_id, fleet_id, trust_level, created_at, updated_at)
      values (${work.tenant_id}, ${agent_id}, ${fleet_id}, ${trust}, ${created_at}, ${created_at})
      on conflict (tenant_id, agent_id) do update set trust_level = excluded.trust_level,
        updated_at = excluded.updated_at, fleet_id = coalesce(excluded.fleet_id, agents.fleet_id)`);
  const event = { at: created_at, action: "key.create", target_id: id, before: null, reason: null };
  await insertAudit(work, actor, [{ ...event, after: powersOf(key) }]);
}

/** What an audit row shows of a key. */
const powersOf = ({ agent_id, fleet_id, trust, admin }: StoredKey) => ({ agent_id, fleet_id, trust, admin });

/** Ends a key in use, inside the caller's transaction; false when there is no such. */
export async function revokeKey(work: TenantWork, id: string, now: string, actor: Actor): Promise<boolean> {
  const revoked = await work.row<StoredKey>(sql`update api_keys set revoked_at = ${now}
    where tenant_id = ${work.tenant_id} and id = ${id} and revoked_at is null returning *`);
  if (!revoked) return false;
  const event = { at: now, action: "key.revoke", target_id: id, before: powersOf(revoked), reason: null };
  await insertAudit(work, actor, [{ ...event, after: { revoked_at: now } }]);
  return true;
}
