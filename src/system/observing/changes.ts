import type { ChangeListener, Changes } from "../../core/ports/observing/changes.ts";

/** The one place of a process through which changes are told. */
export function createChanges(): Changes {
  const byTenant = new Map<string, Set<ChangeListener>>();
  let isClosed = false;
  const all = () => [...byTenant.values()].flatMap((listeners) => [...listeners]);
  return {
    publish: (tenant_id, topics) => {
      if (byTenant.size === 0 || topics.length === 0) return;
      const told = tenant_id === null ? all() : (byTenant.get(tenant_id) ?? []);
      for (const listener of told) listener.changed(topics);
    },
    subscribe: (tenant_id, listener) => {
      if (isClosed) listener.ended();
      const listeners = byTenant.get(tenant_id) ?? new Set();
      byTenant.set(tenant_id, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && byTenant.get(tenant_id) === listeners) byTenant.delete(tenant_id);
      };
    },
    close: () => {
      isClosed = true;
      for (const listener of all()) listener.ended();
    },
  };
}
