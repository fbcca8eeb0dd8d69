import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { StoredVectors } from "../../common/index-codes.ts";
import { comparedOf, indexCodes } from "../../common/index-codes.ts";
import { tablesOf } from "../../common/sides.ts";
import { sampledMemory } from "../../generations/sample.ts";
import { followModel } from "../../generations/settle.ts";
import type { EngineModels } from "../../generations/store.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Driver } from "../engine/driver.ts";
import type { Engine, TenantWork } from "../engine/work.ts";
import { nearestRows } from "../search/nearest.ts";
import { postgresDialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";
import { wideWorkOf } from "../units/run.ts";
import { ensureCodeIndexes } from "../vectors/code-indexes.ts";
import { BITS, rowCode } from "../vectors/codes.ts";
import { filedVectors } from "../vectors/vectors.ts";

/** Rows that a search for one row's own vector looks at. */
const POOL = 32;

interface Parts extends Pick<EngineModels, "open"> {
  readonly driver: Pick<Driver, "processes">;
}

/** How a database has room for two models. */
export const postgresModels = (engine: Engine, { driver, open }: Parts): EngineModels => ({
  requireAlone: () => requireNoOthers(driver),
  prepare: (space) => ensureCodeIndexes(engine, space),
  open,
  overtake: () => {},
  alone: async (body, then) => {
    const done = await engine.change(async (work) => {
      // All rows of all tenants may be changed. What others write waits, and what they began to write is seen.
      await work.run(sql`select set_config('statement_timeout', '0', true)`);
      await work.run(sql`lock table memories, documents in share row exclusive mode`);
      return drive(work, body(wideWorkOf(work)));
    });
    then(done);
    return done;
  },
  // In transactions of their own: how far an index is searched is set for one.
  find: (space, chosen) =>
    engine.snapshot(async (anyWork) => {
      const { seq, tenant_id } = chosen;
      const work: TenantWork = { ...anyWork, tenant_id };
      const row = await drive(work, sampledMemory({ dialect: postgresDialect }, chosen));
      const vectors = row && (await filedVectors(work, space, [seq])).get(seq);
      const compared = vectors && comparedOf(vectors);
      if (!compared) return null;
      const near = await nearestRows(work, space, { filter: { tenant_id }, pool: POOL }, compared);
      return { row, vectors, is_found: near.includes(seq) || (await hasOwnCode(work, space, seq, vectors)) };
    }),
});

/** Whether a row's entry is made of its vectors: so many others are as like the question that it has no place among the nearest. */
async function hasOwnCode(
  work: TenantWork,
  space: EmbedderSpace,
  seq: number,
  vectors: StoredVectors,
): Promise<boolean> {
  const code = rowCode(space, indexCodes(space), vectors);
  const found = await work.row<{ is_own: boolean }>(sql`select code = ${code}::text::${BITS} as is_own
    from ${sql.raw(tablesOf(space).memory_codes)} where tenant_id = ${work.tenant_id} and seq = ${seq}`);
  return found?.is_own === true;
}

/** Each process loads its model when it starts: one that goes on would write what the others do not search. */
async function requireNoOthers({ processes }: Pick<Driver, "processes">): Promise<void> {
  const others = (await processes()) - 1;
  if (others <= 0) return;
  const are = others === 1 ? "Another Cairn process is" : `${others} other Cairn processes are`;
  throw new AppError(
    "CONFLICT",
    `${are} connected to this database. A change of the model takes one process: stop the others, and start them again once it is done.`,
  );
}

/** The same engine, whose writes are read by the model that answers where that is another by now. */
export const followingModel = (engine: Engine, clock: Clock, mayHaveChanged: () => boolean): Engine => ({
  ...engine,
  write: (tenant_id, body) =>
    engine.write(tenant_id, async (work) => {
      const done = await body(work);
      if (mayHaveChanged()) await drive(work, followModel(wideWorkOf(work), tenant_id, clock));
      return done;
    }),
});
