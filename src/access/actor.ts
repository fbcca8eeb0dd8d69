import type { Ctx } from "../core/ports/context.ts";
import type { Actor } from "../core/ports/memory-store.ts";

/** Who an audit row names. */
export const actorOf = ({ principal }: Ctx): Actor => ({
  agent_id: principal.agent_id,
  auth_source: principal.auth_source,
});
