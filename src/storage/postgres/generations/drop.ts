import { sql } from "drizzle-orm";
import { otherSide, SIDES, sideOf } from "../../common/sides.ts";
import type { Work } from "../engine/work.ts";

/** Rows whose vectors are taken out at a time: short enough for everyone else to wait for. */
const DROPPED_PER_STEP = 2_000;

/** Takes the vectors of some rows out, and the model's name with the last of them; false once nothing is left. */
export async function dropSome(work: Work): Promise<boolean> {
  const tables = SIDES[otherSide(sideOf(work.space))];
  let dropped = 0;
  for (const name of [tables.memory_codes, tables.memory_vectors, tables.document_codes, tables.document_vectors]) {
    const table = sql.raw(name);
    const some = sql`select ctid from ${table} limit ${DROPPED_PER_STEP}`;
    dropped += await work.run(sql`delete from ${table} where ctid = any(array(${some}))`);
  }
  if (dropped > 0) return true;
  await work.run(sql`delete from generations where state <> 'active'`);
  return false;
}
