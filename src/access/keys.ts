import { toTimestamp } from "../core/kernel/clock.ts";
import { AppError } from "../core/kernel/errors.ts";
import { sha256 } from "../core/kernel/hash.ts";
import { newId } from "../core/kernel/ids.ts";
import type { StoredKey } from "../core/ports/account-stores.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { KeyCreate, KeyList, KeyMinted, KeyView } from "../core/schema/account.ts";
import { actorOf } from "./actor.ts";
import { requirePerson } from "./person.ts";
import { requireTenant } from "./tenant.ts";
import { requireAdmin } from "./trust.ts";

const KEY_PREFIX = "mc_";
/** Random bytes of a key: 43 base64url characters. */
const KEY_BYTES = 32;
/** Characters of a key that a list shows. */
const SHOWN_LENGTH = 9;
/** What a key may do when nobody says: an agent is standard, a whole tenant is not limited. */
const DEFAULT_TRUST = { agent: 1, tenant: 3 } as const;

/** Whether a credential claims to be one of ours. */
export const isOurKey = (text: string): boolean => text.startsWith(KEY_PREFIX);

/** What is stored of a key. */
export const hashKey = (key: string): string => sha256(key);

/**
 * Makes a key and shows it once; only its hash is kept. The key of an agent that is known here has that agent's trust and
 * fleet unless others are named, which the agent then has too; a fleet of null is none. Administrators only; what makes more
 * than another key of an agent, as trusted as it is, takes a person.
 */
export async function createKey(ctx: Ctx, input: KeyCreate): Promise<KeyMinted> {
  requireAdmin(ctx);
  const tenant_id = requireKeyTenant(ctx, input.tenant_id);
  const raw_key = KEY_PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES))).toString("base64url");
  const agent_id = input.agent_id ?? null;
  if (agent_id === null || input.admin === true || input.trust !== undefined)
    requirePerson(ctx, "Keys of no agent, of administrators and of a trust that is named are made");
  const agent = agent_id === null ? null : await ctx.storage.agents.get(tenant_id, agent_id);
  const key: StoredKey = {
    id: newId(ctx.clock),
    key_hash: hashKey(raw_key),
    key_prefix: raw_key.slice(0, SHOWN_LENGTH),
    tenant_id,
    agent_id,
    fleet_id: input.fleet_id === undefined ? (agent?.fleet_id ?? null) : input.fleet_id,
    trust: input.trust ?? agent?.trust_level ?? (agent_id === null ? DEFAULT_TRUST.tenant : DEFAULT_TRUST.agent),
    admin: input.admin ?? false,
    label: input.label ?? null,
    created_at: toTimestamp(ctx.clock.now()),
    revoked_at: null,
  };
  await ctx.storage.keys.add(key, actorOf(ctx));
  return { ...toKeyView(key), raw_key };
}

/** The tenant's keys, revoked ones included; never the keys themselves. Administrators only. */
export async function listKeys(ctx: Ctx, input: { tenant_id?: string | undefined }): Promise<KeyList> {
  requireAdmin(ctx);
  const keys = await ctx.storage.keys.list(requireKeyTenant(ctx, input.tenant_id));
  return { items: keys.map(toKeyView) };
}

/** Ends a key at once. Throws NOT_FOUND. Administrators only; keys that are not merely an agent's are ended by people. */
export async function revokeKey(ctx: Ctx, input: { tenant_id?: string | undefined; key_id: string }): Promise<void> {
  requireAdmin(ctx);
  const tenant_id = requireKeyTenant(ctx, input.tenant_id);
  const key = (await ctx.storage.keys.list(tenant_id)).find(({ id }) => id === input.key_id);
  if (key && (key.agent_id === null || key.admin))
    requirePerson(ctx, "Keys of no agent and of administrators are ended");
  const now = toTimestamp(ctx.clock.now());
  const revoked = await ctx.storage.keys.revoke(tenant_id, input.key_id, now, actorOf(ctx));
  if (!revoked) throw new AppError("NOT_FOUND", "No such key in use.");
}

/** A standalone administrator runs the machine and may mint for any tenant; every other one only for its own. */
function requireKeyTenant(ctx: Ctx, named: string | undefined): string {
  return ctx.principal.auth_source === "standalone" ? (named ?? requireTenant(ctx)) : requireTenant(ctx, named);
}

function toKeyView({ key_hash: _hash, ...shown }: StoredKey): KeyView {
  return shown;
}
