import { AppError } from "../core/kernel/errors.ts";
import type { IdentityRules, Services } from "../core/ports/context.ts";
import type { Principal } from "../core/schema/access.ts";
import { NEW_AGENT_TRUST } from "../core/schema/access.ts";
import { fleetMeant } from "../core/schema/projects/registry.ts";
import { isTrial } from "../core/schema/trial.ts";
import { hashKey, isOurKey } from "./keys.ts";

/** The tenant of a standalone server. */
export const STANDALONE_TENANT = "default";

const STANDALONE: Principal = {
  tenant_id: STANDALONE_TENANT,
  agent_id: null,
  fleet_id: null,
  trust: 3,
  admin: true,
  owner: true,
  account: true,
  auth_source: "standalone",
};

/** Whoever has the one shared key. */
const SHARED: Principal = { ...STANDALONE, account: false, auth_source: "api-key" };

const ANONYMOUS: Principal = {
  tenant_id: null,
  agent_id: null,
  fleet_id: null,
  trust: 0,
  admin: false,
  owner: false,
  account: false,
  auth_source: "anonymous",
};

/** The longest tenant or agent name in a header. */
const HEADER_NAME_MAX = 200;

/**
 * Who calls: a trusted gateway's headers, then a key, then standalone mode, then nobody. Throws INVALID_API_KEY for a key
 * that is unknown or revoked, and TENANT_MISMATCH when X-Tenant-ID names another tenant than the credential's; the owner of
 * the machine alone may name a throwaway one.
 */
export async function resolvePrincipal(services: Services, headers: Headers): Promise<Principal> {
  const gateway = await gatewayPrincipal(services, headers);
  if (gateway) return gateway;
  const principal = await keyPrincipal(services, presentedKey(headers));
  const named = headers.get("x-tenant-id");
  // Whoever owns the machine tries things out where they touch nobody.
  if (named !== null && principal.owner && isTrial(named))
    return { ...principal, tenant_id: named, owner: false, account: false };
  if (named !== null && principal.tenant_id !== null && named !== principal.tenant_id) {
    throw new AppError(
      "TENANT_MISMATCH",
      "X-Tenant-ID is not the tenant of this credential. Leave it out or correct it.",
    );
  }
  return principal;
}

/** Whether a request shows what will be checked, or was here, so that it speaks as nobody it is not. */
export function provesItself({ local_token, gateway_secret }: IdentityRules, headers: Headers): boolean {
  const [presented, proof] = [presentedKey(headers), headers.get("x-gateway-secret")];
  const isGateway = proof !== null && gateway_secret?.matches(proof) === true;
  return isGateway || (presented !== null && (isOurKey(presented) || local_token.matches(presented)));
}

/**
 * The key of a request: X-API-Key and Authorization: Bearer are equal. One of our keys goes before anything else, however
 * it is written (quoted, sent twice, under another scheme): overlooked, its owner would speak as somebody else.
 */
export function presentedKey(headers: Headers): string | null {
  const [key = "", authorization = ""] = ["x-api-key", "authorization"].map((name) => headers.get(name)?.trim());
  const words = `${key} ${authorization}`.split(/[\s,;"']+/);
  const bearer = /^Bearer\s+(\S+)$/i.exec(authorization)?.[1];
  return words.find(isOurKey) ?? (key || bearer || null);
}

/**
 * The identity that a gateway vouches for; null when it does not prove itself, whatever it claims. Trust and fleet of an
 * agent are those it has here. Throws INVALID_API_KEY where it names no tenant, and for names longer than any here.
 */
async function gatewayPrincipal({ identity, storage }: Services, headers: Headers): Promise<Principal | null> {
  const proof = headers.get("x-gateway-secret");
  const tenant_id = headers.get("x-tenant-id");
  if (!identity.gateway_secret || !proof || !identity.gateway_secret.matches(proof)) return null;
  // For whom it vouches it must say: a proxy leaves out a header without a value.
  if (!tenant_id) throw new AppError("INVALID_API_KEY", "A gateway names the tenant of a call in X-Tenant-ID.");
  const agent_id = headers.get("x-agent-id") || null;
  // To cut one short would make two tenants one.
  if (Math.max(tenant_id.length, agent_id?.length ?? 0) > HEADER_NAME_MAX) {
    throw new AppError("INVALID_API_KEY", `X-Tenant-ID and X-Agent-ID have at most ${HEADER_NAME_MAX} characters.`);
  }
  const admin = headers.get("x-org-role") === "admin";
  const vouched = { tenant_id, agent_id, admin, owner: false, account: false, auth_source: "gateway-header" as const };
  if (agent_id === null) return { ...vouched, fleet_id: null, trust: 3 };
  const agent = await storage.agents.get(tenant_id, agent_id);
  const fleet_id = agent?.fleet_id ? fleetMeant(await storage.projects.registry(tenant_id), agent.fleet_id) : null;
  return { ...vouched, fleet_id, trust: agent?.trust_level ?? NEW_AGENT_TRUST };
}

async function keyPrincipal(services: Services, presented: string | null): Promise<Principal> {
  const { identity, storage } = services;
  if (presented !== null && identity.local_token.matches(presented)) return STANDALONE;
  if (presented !== null && identity.api_key?.matches(presented)) return SHARED;
  if (presented !== null && isOurKey(presented)) {
    const key = await storage.keys.find(hashKey(presented));
    if (!key || key.revoked_at !== null) throw invalidKey();
    const { tenant_id, agent_id, trust, admin } = key;
    const fleet_id = key.fleet_id && fleetMeant(await storage.projects.registry(tenant_id), key.fleet_id);
    return { tenant_id, agent_id, fleet_id, trust, admin, owner: false, account: false, auth_source: "api-key" };
  }
  if (identity.keyless) return { ...STANDALONE, account: !identity.any_local_user };
  if (presented !== null) throw invalidKey();
  return ANONYMOUS;
}

const invalidKey = (): AppError =>
  new AppError("INVALID_API_KEY", "This key is unknown or revoked. Make one with `cairn keys create`.");
