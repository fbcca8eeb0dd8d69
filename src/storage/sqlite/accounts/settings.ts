import { eq } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { SettingsStore } from "../../../core/ports/document-store.ts";
import type { Connections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { orgSettings } from "../engine/tables.ts";
import { insertAudit } from "./audit.ts";

/** The settings of tenants over SQLite. */
export function sqliteSettingsStore(connections: Connections, clock: Clock): SettingsStore {
  const read = (db: Connections["drizzleRead"], tenant_id: string): JsonObject =>
    db.select().from(orgSettings).where(eq(orgSettings.tenant_id, tenant_id)).get()?.tree ?? {};
  return {
    get: (tenant_id) => guarded(() => read(connections.drizzleRead, tenant_id)),
    tenants: () =>
      guarded(() => {
        const rows = connections.drizzleRead.select({ tenant_id: orgSettings.tenant_id }).from(orgSettings);
        return rows.all().map(({ tenant_id }) => tenant_id);
      }),
    change: (tenant_id, actor, decide) =>
      guarded(() =>
        connections.transaction(() => {
          const before = read(connections.drizzleWrite, tenant_id);
          const tree = decide(before);
          const set = { tree };
          connections.drizzleWrite
            .insert(orgSettings)
            .values({ tenant_id, tree })
            .onConflictDoUpdate({ target: orgSettings.tenant_id, set })
            .run();
          const now = toTimestamp(clock.now());
          insertAudit(connections, actor, [
            { tenant_id, at: now, action: "settings.change", target_id: tenant_id, before, after: tree, reason: null },
          ]);
          return tree;
        }),
      ),
  };
}
