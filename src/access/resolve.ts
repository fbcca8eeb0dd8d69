import type { Services } from "../ports/context.ts";
import type { Principal } from "../schema/access.ts";

/** The tenant of a standalone server. */
export const STANDALONE_TENANT = "default";

const STANDALONE: Principal = {
  tenant_id: STANDALONE_TENANT,
  agent_id: null,
  fleet_id: null,
  trust: 3,
  admin: true,
  auth_source: "standalone",
};

const ANONYMOUS: Principal = {
  tenant_id: null,
  agent_id: null,
  fleet_id: null,
  trust: 0,
  admin: false,
  auth_source: "anonymous",
};

/** Who calls. Standalone mode has one tenant and trusts whoever reaches its address. */
export const resolvePrincipal = (services: Services): Principal => (services.standalone ? STANDALONE : ANONYMOUS);
