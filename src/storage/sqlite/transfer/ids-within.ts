import { nameId } from "../../../core/kernel/ids.ts";
import type { Engine } from "../engine/connection.ts";

/** Tables whose ids are unique over all tenants of a data file, with the first word of the names that their ids are made of. */
const KINDS = { memories: "memory", relations: "relation" } as const;
/** Versions of UUIDs (RFC 9562) that are made of chance or time: who does not hold such an id cannot make it. */
const UNGUESSABLE = /^.{14}[1467]/;
const OTHERS = "select 1 from tenant_usage where tenant_id <> ? limit 1";

/**
 * The id that an imported row has in this tenant: its own, or one made of it and the tenant. An id that is made of a name or a
 * text never depends on what another tenant holds; else whoever sends the id of a text learns from the answer whether
 * somebody else holds that text.
 */
export function idWithin(db: Engine, tenant_id: string, table: keyof typeof KINDS, id: string): string {
  const owners = db.writeConnection.query<{ readonly tenant_id: string }, [string]>(
    `select tenant_id from ${table} where id = ?`,
  );
  const owner = owners.get(id);
  if (owner?.tenant_id === tenant_id) return id;
  const mapped = nameId([KINDS[table], tenant_id, id]);
  // Once it has been mapped it stays so, whatever became of the other tenants.
  if (owners.get(mapped)) return mapped;
  if (UNGUESSABLE.test(id)) return owner ? mapped : id;
  return db.writeConnection.query<unknown, [string]>(OTHERS).get(tenant_id) ? mapped : id;
}
