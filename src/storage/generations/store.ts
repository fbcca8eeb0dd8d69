import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import { toTimestamp } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { GenerationStore, Lacking, ModelSpace, SampledMemory } from "../../core/ports/keeping/generations.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { StoredVectors } from "../common/index-codes.ts";
import { otherSide, SIDES, sideOf } from "../common/sides.ts";
import type { EmbedderSpace } from "../options.ts";
import type { Unit } from "../units/unit.ts";
import { run } from "../units/unit.ts";
import type { Runner, WideWork, Work } from "../units/work.ts";
import { fillDocuments, fillMemories, lacking, progressOf, unreadDocuments, unreadMemories } from "./fill.ts";
import { generationRows, putGeneration, renewActive, requireOther, toGeneration } from "./rows.ts";
import type { Chosen } from "./sample.ts";
import { chooseSample, requireWholeIndex } from "./sample.ts";
import { settleEmbedded } from "./settle.ts";

/** How an engine has room for two models. */
export interface EngineModels {
  /** Throws where the model may not be changed now. */
  requireAlone(): Promise<void>;
  /** Makes the index of a space while there is nothing in it yet. */
  prepare(space: EmbedderSpace): Promise<void>;
  /** A memory as a model has read it, and whether a search for its own vector finds it; null where it is gone by now, or has none. */
  find(space: EmbedderSpace, chosen: Chosen): Promise<FoundMemory | null>;
  /** Opens the storage as it answers by another space; resolves once its index is there. */
  open(space: EmbedderSpace): Promise<Storage>;
  /** One transaction beside which nobody writes; `then` is called in the same breath with what it gave. */
  alone<T>(body: (work: WideWork) => Unit<T>, then: (done: T) => void): Promise<T>;
  /** Has the stores of the space that answers no more tell what they still write. */
  overtake(by: Storage): void;
}

export interface FoundMemory extends Pick<SampledMemory, "row" | "is_found"> {
  readonly vectors: StoredVectors;
}

/** The two sides of a store; `space` is that of the model that answers. */
export function generationStore(
  { look, snapshot, change, writeEach }: Runner,
  { space, clock, engine }: { readonly space: EmbedderSpace; readonly clock: Clock; readonly engine: EngineModels },
): GenerationStore<Storage> {
  const now = () => toTimestamp(clock.now());
  const ofOther = <T>(body: (work: Work, other: EmbedderSpace) => Unit<T>) =>
    snapshot(function* (work) {
      return yield* body(work, yield* requireOther());
    });
  return {
    list: () =>
      look(function* () {
        const { active, other } = yield* generationRows();
        return { active: active && toGeneration(active), other: other && toGeneration(other) };
      }),
    renew: async (answering) => {
      await change((work) => renewActive(work.dialect, answering));
    },
    begin: async (answering, next) => {
      await engine.requireAlone();
      await change((work) => begin(work, { answering, next, now: now() }));
      await engine.prepare(await look(requireOther));
    },
    change: async (state, error = null) => {
      const ended = state === "building" ? null : now();
      await change(() =>
        run(sql`update generations set state = ${state}, error = ${error}, finished_at = ${ended}
          where state <> 'active'`),
      );
    },
    progress: () => ofOther(progressOf),
    unreadMemories: (after, limit) => ofOther((work, other) => unreadMemories(work, other, { after, limit })),
    unreadDocuments: (after, limit) => ofOther((work, other) => unreadDocuments(work, other, { after, limit })),
    // Asked within the transaction: a model that is given up meanwhile is filled no more.
    fillMemories: async (filled) => {
      await writeEach(filled, function* (work, own) {
        yield* fillMemories(work, yield* requireOther(), own);
      });
    },
    fillDocuments: async (filled) => {
      await writeEach(filled, function* (work, own) {
        yield* fillDocuments(work, yield* requireOther(), own);
      });
    },
    lacking: () => ofOther((work, other) => lacking(work, { answering: space, other })),
    sample: async (count) => {
      const other = await look(requireOther);
      await look((work) => requireWholeIndex(work, other));
      const sampled: SampledMemory[] = [];
      for (const one of await look((work) => chooseSample(work, other, count))) {
        const found = await engine.find(other, one);
        if (!found) continue;
        const { vectors, row, is_found } = found;
        sampled.push({ row, own: vectors.own, is_alone: row.previous === null, is_found });
      }
      return sampled;
    },
    open: async () => engine.open(await look(requireOther)),
    switchTo: async (storage, mayLack, then) => {
      await engine.requireAlone();
      const left = await engine.alone(
        (work) => switchModel(work, mayLack, clock.now()),
        (lacks) => {
          if (lacks) return;
          engine.overtake(storage);
          then();
        },
      );
      return left ?? { memories: 0, documents: 0 };
    },
    drop: () => change(dropSome),
  };
}

/** Writes down which model answers, where that was never changed, and which is to. */
function* begin(
  { dialect, space }: WideWork,
  { answering, next, now }: { readonly answering: ModelSpace; readonly next: ModelSpace; readonly now: string },
): Unit<void> {
  const side = sideOf(space);
  const { other } = yield* generationRows();
  if (other && (other.state === "dropping" || other.embedder_id !== next.embedder.id))
    throw new AppError(
      "CONFLICT",
      `Vectors of ${other.model} are still there. Take them out with \`cairn reembed --drop-old\`.`,
    );
  yield* putGeneration(dialect, side, answering, { state: "active", now });
  yield* putGeneration(dialect, otherSide(side), next, { state: "building", now });
}

/** Has the other model answer; returns what lacks vectors of it where that may not be. */
function* switchModel(work: WideWork, mayLack: boolean, now_ms: number): Unit<Lacking | null> {
  const other = yield* requireOther();
  const found = yield* lacking(work, { answering: work.space, other });
  if (!mayLack && found.memories + found.documents > 0) return found;
  const { truth } = work.dialect;
  yield* run(sql`update generations set state = 'previous', has_answered = ${truth(true)} where state = 'active'`);
  yield* run(sql`update generations set state = 'active', has_answered = ${truth(true)},
    finished_at = ${toTimestamp(now_ms)} where side = ${sideOf(other)}`);
  yield* settleEmbedded(work, other, null, now_ms);
  return null;
}

/** Rows whose vectors are taken out at a time: short enough for everyone else to wait for. */
const DROPPED_PER_STEP = 500;

/** Takes the vectors of some rows out, and the model's name with the last of them; false once nothing is left. */
function* dropSome({ dialect, space }: WideWork): Unit<boolean> {
  const tables = SIDES[otherSide(sideOf(space))];
  let dropped = 0;
  for (const index of [tables.memory_codes, tables.memory_vectors, tables.document_codes, tables.document_vectors]) {
    const { table, key, column } = dialect.entriesOf(index);
    dropped += yield* run(sql`delete from ${sql.raw(index)} where ${dialect.key(column)} in (
      select ${dialect.tenantColumn}${sql.raw(key)} from ${sql.raw(table)} limit ${DROPPED_PER_STEP})`);
  }
  if (dropped > 0) return true;
  yield* run(sql`delete from generations where state <> 'active'`);
  return false;
}
