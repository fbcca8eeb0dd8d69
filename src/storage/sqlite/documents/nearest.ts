import type { DocumentHitQuery } from "../../../core/ports/document-store.ts";
import { tablesOf } from "../../common/sides.ts";
import { signCode } from "../../common/sign-code.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections } from "../engine/connection.ts";
import type { CodeClause } from "../vectors/code-tables.ts";
import { nearestPlain } from "../vectors/code-tables.ts";
import { codeSpace } from "../vectors/vectors.ts";

/** The documents whose codes differ least from the query's, nearest first. */
export function nearestDocuments(
  db: Connections,
  space: EmbedderSpace,
  query: DocumentHitQuery,
  wanted: number,
): number[] {
  const { tenant_id, collection, vector } = query;
  if (!vector) return [];
  const table = tablesOf(space).document_codes;
  const code = signCode(vector.values, space.center);
  const where: CodeClause[] = [{ sql: "space = ?", value: codeSpace(tenant_id, vector.embedder_id) }];
  if (collection !== undefined)
    where.push({ sql: "collection = ?", value: numberOfCollection(db, tenant_id, collection) });
  if (db.extension === null) return nearestPlain(db, table, { code, wanted, where });
  const rows = db.readConnection.query<{ seq: number }, (Uint8Array | string | number)[]>(
    `select seq from ${table} where code match vec_bit(?) and k = ? and ${where.map(({ sql }) => sql).join(" and ")}`,
  );
  return rows.all(code, wanted, ...where.map(({ value }) => value)).map(({ seq }) => seq);
}

/** -1 for a collection that there is not. */
const numberOfCollection = (db: Connections, tenant_id: string, name: string): number =>
  db.readConnection
    .query<{ id: number }, [string, string]>("select id from collections where tenant_id = ? and name = ?")
    .get(tenant_id, name)?.id ?? -1;
