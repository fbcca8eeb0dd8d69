import type { Oracle } from "./oracle.ts";
import type { State } from "./state.ts";

/** The audit log, newest first. */
export const auditOf = (state: State): Oracle["audit"] => ({
  list: async ({ tenant_id, target_id, action, before_id, limit }) =>
    state.audit
      .filter(
        (entry) =>
          entry.tenant_id === tenant_id &&
          (target_id === undefined || entry.target_id === target_id) &&
          (action === undefined || entry.action === action) &&
          (before_id === undefined || entry.id < before_id),
      )
      .reverse()
      .slice(0, limit),
});
