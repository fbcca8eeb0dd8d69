import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import type { JsonObject } from "../../../core/kernel/json.ts";
import type { SettingsStore } from "../../../core/ports/document-store.ts";
import { jsonValue } from "../engine/values.ts";
import type { Engine, Work } from "../engine/work.ts";
import { insertAudit } from "./audit-rows.ts";

/** The settings of tenants over Postgres. */
export function postgresSettingsStore(engine: Engine, clock: Clock): SettingsStore {
  return {
    get: (tenant_id) => engine.look((work) => treeOf(work, tenant_id)),
    tenants: () =>
      engine.look(async (work) => {
        const rows = await work.rows<{ tenant_id: string }>(sql`select tenant_id from org_settings order by tenant_id`);
        return rows.map(({ tenant_id }) => tenant_id);
      }),
    change: (tenant_id, actor, decide) =>
      engine.write(tenant_id, async (work) => {
        const before = await treeOf(work, tenant_id);
        const tree = decide(before);
        await work.run(sql`insert into org_settings (tenant_id, tree) values (${tenant_id}, ${jsonValue(tree)})
          on conflict (tenant_id) do update set tree = excluded.tree`);
        const event = { at: toTimestamp(clock.now()), action: "settings.change", target_id: tenant_id, reason: null };
        await insertAudit(work, actor, [{ ...event, before, after: tree }]);
        return tree;
      }),
  };
}

async function treeOf(work: Work, tenant_id: string): Promise<JsonObject> {
  const row = await work.row<{ tree: JsonObject }>(sql`select tree from org_settings where tenant_id = ${tenant_id}`);
  return row?.tree ?? {};
}
