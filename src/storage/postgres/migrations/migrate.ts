import { sql } from "drizzle-orm";
import { AppError } from "../../../core/kernel/errors.ts";
import { RELEASE } from "../../../version.ts";
import { lockShape } from "../engine/shape-lock.ts";
import { statementsOf } from "../engine/statements.ts";
import type { Db } from "../engine/work.ts";
import { MIGRATIONS } from "./all.ts";

/**
 * Brings a database to the newest shape, all missing steps in one transaction, however many processes start at the same
 * moment. Throws AppError UNAVAILABLE for a database of a newer Cairn.
 */
export async function migrate(db: Db): Promise<void> {
  // Whoever only starts waits for nobody.
  if ((await shapeOf(db)) === MIGRATIONS.length) return;
  await db.transaction(async (tx) => {
    await lockShape(statementsOf(tx));
    const seen = await shapeOf(tx);
    for (const step of MIGRATIONS.slice(seen)) {
      for (const statement of step.flatMap(statementsIn)) await tx.execute(sql.raw(statement));
    }
    if (seen < MIGRATIONS.length)
      await tx.execute(sql`insert into releases (shape, release) values (${MIGRATIONS.length}, ${RELEASE})`);
  });
}

/** How many steps a database has seen. */
async function shapeOf(db: Db): Promise<number> {
  const { row } = statementsOf(db);
  // By a table that is read: whoever has waited for the lock above would else remember that there was none (to_regclass).
  const known = await row<{ known: boolean }>(
    sql`select exists (select from pg_class where relname = 'releases' and pg_table_is_visible(oid)) as known`,
  );
  if (!known?.known) return 0;
  const last = await row<{ shape: number; release: string }>(
    sql`select shape, release from releases order by shape desc limit 1`,
  );
  if (last && last.shape > MIGRATIONS.length)
    throw new AppError(
      "UNAVAILABLE",
      `This database was written by a newer Cairn (${last.release}, shape ${last.shape}; this one, ${RELEASE}, knows ${MIGRATIONS.length}). Start the newer version, or name another database.`,
    );
  return last?.shape ?? 0;
}

/** The statements of a text, each by itself; within the body of a function a semicolon ends none. */
const statementsIn = (text: string): string[] =>
  text
    .split(/\$\$/)
    .map((part, i) => (i % 2 === 1 ? part.replaceAll(";", "\u0001") : part))
    .join("$$")
    .split(";")
    .map((statement) => statement.replaceAll("\u0001", ";").trim())
    .filter((statement) => statement !== "");
