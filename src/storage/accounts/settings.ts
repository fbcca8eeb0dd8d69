import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import { toTimestamp } from "../../core/kernel/clock.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import type { SettingsStore } from "../../core/ports/document-store.ts";
import { jsonIn } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows, run } from "../units/unit.ts";
import type { Runner } from "../units/work.ts";
import { insertAudit } from "./audit.ts";

/** The settings of tenants. */
export const settingsStore = ({ look, write }: Runner, clock: Clock): SettingsStore => ({
  get: (tenant_id) => look(() => treeOf(tenant_id)),
  tenants: () => look(tenantsWithSettings),
  change: (tenant_id, actor, decide) =>
    write(tenant_id, function* (work) {
      const before = yield* treeOf(tenant_id);
      const tree = decide(before);
      yield* run(sql`insert into org_settings (tenant_id, tree) values (${tenant_id}, ${work.dialect.json(tree)})
        on conflict (tenant_id) do update set tree = excluded.tree`);
      const event = { at: toTimestamp(clock.now()), action: "settings.change", target_id: tenant_id, reason: null };
      yield* insertAudit(work, actor, [{ ...event, before, after: tree }]);
      return tree;
    }),
});

function* tenantsWithSettings(): Unit<string[]> {
  const found = yield* rows<{ tenant_id: string }>(sql`select tenant_id from org_settings order by tenant_id`);
  return found.map(({ tenant_id }) => tenant_id);
}

function* treeOf(tenant_id: string): Unit<JsonObject> {
  const found = yield* row<{ tree: unknown }>(sql`select tree from org_settings where tenant_id = ${tenant_id}`);
  return found ? jsonIn<JsonObject>(found.tree) : {};
}
