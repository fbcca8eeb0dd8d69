import { sql } from "drizzle-orm";
import { nameId } from "../../core/kernel/ids.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";

/** Tables whose ids are unique over all tenants of a data file, with the first word of the names that their ids are made of. */
const KINDS = { memories: "memory", relations: "relation" } as const;
/** Versions of UUIDs (RFC 9562) that are made of chance or time: who does not hold such an id cannot make it. */
const UNGUESSABLE = /^.{14}[1467]/;

/**
 * The ids that imported rows have in this tenant: their own, or where an engine has an id once for all tenants, one made of it
 * and the tenant. An id that is made of a name or a text never depends on what another tenant holds; else whoever sends the id
 * of a text learns from the answer whether somebody else holds that text.
 */
export function* idsWithin(
  { dialect, tenant_id }: TenantWork,
  table: keyof typeof KINDS,
  ids: readonly string[],
): Unit<(id: string) => string> {
  if (dialect.tellsTenants || ids.length === 0) return (id) => id;
  const mapped = (id: string): string => nameId([KINDS[table], tenant_id, id]);
  const found = yield* rows<{ id: string; tenant_id: string }>(sql`select id, tenant_id from ${sql.raw(table)}
    where ${dialect.isIn(sql`id`, [...ids, ...ids.map(mapped)])}`);
  const owners = new Map(found.map((one) => [one.id, one.tenant_id]));
  const others = yield* row(sql`select 1 as one from tenant_usage where tenant_id <> ${tenant_id} limit 1`);
  return (id) => {
    const owner = owners.get(id);
    if (owner === tenant_id) return id;
    // Once it has been mapped it stays so, whatever became of the other tenants.
    if (owners.has(mapped(id))) return mapped(id);
    if (UNGUESSABLE.test(id)) return owner === undefined ? id : mapped(id);
    return others ? mapped(id) : id;
  };
}
