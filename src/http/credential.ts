import { presentedKey } from "../access/resolve.ts";
import { sha256 } from "../core/kernel/hash.ts";
import type { Principal } from "../core/schema/access.ts";

/**
 * What a caller proved itself with: a key in use, what a gateway vouches for; null for whoever needs no proof. Keys are hashed
 * so that none lies in memory longer than its request.
 */
export function credentialOf({ auth_source, tenant_id, agent_id }: Principal, headers: Headers): string | null {
  switch (auth_source) {
    case "gateway-header":
      return `gateway ${JSON.stringify([tenant_id, agent_id])}`;
    case "api-key":
      return `key ${sha256(presentedKey(headers) ?? "")}`;
    default:
      return null;
  }
}
