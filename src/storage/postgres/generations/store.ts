import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { GenerationStore, Lacking, ModelSpace, SampledMemory } from "../../../core/ports/keeping/generations.ts";
import type { Storage } from "../../../core/ports/storage.ts";
import { toGeneration } from "../../common/generations.ts";
import { otherSide, sideOf } from "../../common/sides.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Driver } from "../engine/driver.ts";
import type { Engine, Work } from "../engine/work.ts";
import { ensureCodeIndexes } from "../vectors/code-indexes.ts";
import { dropSome } from "./drop.ts";
import {
  fillDocuments,
  fillMemories,
  lacking,
  ownersOfDocuments,
  progressOf,
  unreadDocuments,
  unreadMemories,
} from "./fill.ts";
import { generationRows, otherSpace, putGeneration } from "./rows.ts";
import { chooseSample, requireWholeIndex, sampleOne } from "./sample.ts";
import { settleEmbedded } from "./settle.ts";

interface Parts {
  readonly clock: Clock;
  readonly driver: Pick<Driver, "processes">;
  /** Opens the storage as it answers by another space; resolves once its index is there. */
  open(space: EmbedderSpace): Promise<Storage>;
}

/** The two sides of a database; `engine.space` is that of the model that answers. */
export function postgresGenerationStore(engine: Engine, { clock, driver, open }: Parts): GenerationStore<Storage> {
  const now = () => toTimestamp(clock.now());
  const ofOther = <T>(body: (work: Work, other: EmbedderSpace) => Promise<T>) =>
    engine.look(async (work) => body(work, await requireOther(work)));
  return {
    list: () =>
      engine.look(async (work) => {
        const { active, other } = await generationRows(work);
        return { active: active && toGeneration(active), other: other && toGeneration(other) };
      }),
    begin: async (answering, next) => {
      await requireNoOthers(driver);
      await engine.change((work) => begin(work, { answering, next, now: now() }));
      // While there is nothing in it yet, to make the index takes no time.
      await ensureCodeIndexes(engine, await engine.look(requireOther));
    },
    change: (state, error = null) =>
      engine.change(async (work) => {
        const ended = state === "building" ? null : now();
        await work.run(sql`update generations set state = ${state}, error = ${error}::text, finished_at = ${ended}::text
          where state <> 'active'`);
      }),
    progress: () => ofOther(progressOf),
    unreadMemories: (after, limit) =>
      ofOther((work, other) => unreadMemories(work, { answering: work.space, other }, after, limit)),
    unreadDocuments: (after, limit) => ofOther((work, other) => unreadDocuments(work, other, after, limit)),
    fillMemories: async (filled) => {
      const other = await engine.look(requireOther);
      for (const [tenant_id, rows] of Map.groupBy(filled, (one) => one.tenant_id))
        await engine.write(tenant_id, (work) => fillMemories(work, other, rows));
    },
    fillDocuments: async (filled) => {
      const { other, owners } = await ofOther(async (work, other) => ({
        other,
        owners: await ownersOfDocuments(work, filled),
      }));
      const ownerOf = new Map(owners.map(({ seq, tenant_id }) => [seq, tenant_id]));
      for (const [tenant_id, rows] of Map.groupBy(filled, ({ seq }) => ownerOf.get(seq)))
        if (tenant_id !== undefined) await engine.write(tenant_id, (work) => fillDocuments(work, other, rows));
    },
    lacking: () => ofOther((work, other) => lacking(work, { answering: work.space, other })),
    sample: async (count) => {
      const { other, chosen } = await ofOther(async (work, other) => {
        await requireWholeIndex(work, other);
        return { other, chosen: await chooseSample(work, other, count) };
      });
      const sampled: SampledMemory[] = [];
      // In transactions of their own: how far an index is searched is set for one.
      for (const one of chosen) sampled.push(...(await engine.snapshot((work) => sampleOne(work, other, one))));
      return sampled;
    },
    open: async () => open(await engine.look(requireOther)),
    switchTo: async (_storage, mayLack, then) => {
      await requireNoOthers(driver);
      const left = await engine.change((work) => switchModel(work, mayLack, clock.now()));
      if (left) return left;
      then();
      return { memories: 0, documents: 0 };
    },
    drop: () => engine.change(dropSome),
  };
}

async function requireOther(work: Work): Promise<EmbedderSpace> {
  const other = await otherSpace(work);
  if (other) return other;
  throw new AppError("CONFLICT", "There is no other model beside the one that answers.");
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

/** Writes down which model answers, where that was never changed, and which is to. */
async function begin(
  work: Work,
  { answering, next, now }: { readonly answering: ModelSpace; readonly next: ModelSpace; readonly now: string },
): Promise<void> {
  const side = sideOf(work.space);
  const { other } = await generationRows(work);
  if (other && (other.state === "dropping" || other.embedder_id !== next.embedder.id))
    throw new AppError(
      "CONFLICT",
      `Vectors of ${other.model} are still there. Take them out with \`cairn reembed --drop-old\`.`,
    );
  await putGeneration(work, side, answering, { state: "active", now });
  await putGeneration(work, otherSide(side), next, { state: "building", now });
}

/** Has the other model answer; returns what lacks vectors of it where that may not be. */
async function switchModel(work: Work, mayLack: boolean, nowMs: number): Promise<Lacking | null> {
  // All rows of all tenants may be changed. What others write waits, and what they began to write is seen.
  await work.run(sql`select set_config('statement_timeout', '0', true)`);
  await work.run(sql`lock table memories, documents in share row exclusive mode`);
  const other = await requireOther(work);
  const found = await lacking(work, { answering: work.space, other });
  if (!mayLack && found.memories + found.documents > 0) return found;
  await work.run(sql`update generations set state = 'previous', has_answered = true where state = 'active'`);
  await work.run(sql`update generations set state = 'active', has_answered = true, finished_at = ${toTimestamp(nowMs)}
    where side = ${sideOf(other)}`);
  await settleEmbedded(work, other, { tenant_id: null, now_ms: nowMs });
  return null;
}
