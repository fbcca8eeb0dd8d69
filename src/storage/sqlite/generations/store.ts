import type { Clock } from "../../../core/kernel/clock.ts";
import { toTimestamp } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { GenerationStore, ModelSpace } from "../../../core/ports/keeping/generations.ts";
import type { Storage } from "../../../core/ports/storage.ts";
import { toGeneration } from "../../common/generations.ts";
import { otherSide, SIDES, sideOf } from "../../common/sides.ts";
import { removeOtherDocumentVector } from "../../documents/indexes.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { within } from "../units/run.ts";
import { removeOtherVectors } from "../vectors/vectors.ts";
import { fillDocuments, fillMemories, lacking, progressOf, unreadDocuments, unreadMemories } from "./fill.ts";
import { generationRows, otherSpace, putGeneration } from "./rows.ts";
import { requireWholeIndex, sampleMemories } from "./sample.ts";
import { settleEmbedded } from "./settle.ts";

/** Rows whose vectors are taken out at a time: short enough for everyone else to wait for. */
const DROPPED_PER_STEP = 500;

interface Parts {
  readonly clock: Clock;
  /** Opens the storage as it answers by another space; resolves once its index is there. */
  open(space: EmbedderSpace): Promise<Storage>;
  /** Has the stores of the space that answers no more tell what they still write. */
  overtake(by: Storage): void;
}

/** The two sides of a data file; `db.space` is that of the model that answers. */
export function sqliteGenerationStore(db: Engine, { clock, open, overtake }: Parts): GenerationStore<Storage> {
  const change = <T>(body: () => T) => guarded(() => db.write(body));
  const now = () => toTimestamp(clock.now());
  const spaces = () => ({ answering: db.space, other: requireOther(db) });
  return {
    list: () =>
      guarded(() => {
        const { active, other } = generationRows(db.readConnection);
        return { active: active && toGeneration(active), other: other && toGeneration(other) };
      }),
    begin: (answering, next) => change(() => begin(db, { answering, next, now: now() })),
    change: (state, error = null) =>
      change(() => {
        const ended = state === "building" ? null : now();
        db.writeConnection
          .query("update generations set state = ?, error = ?, finished_at = ? where state <> 'active'")
          .run(state, error, ended);
      }),
    progress: () => guarded(() => progressOf(db, requireOther(db))),
    unreadMemories: (after, limit) => guarded(() => unreadMemories(db, spaces(), after, limit)),
    unreadDocuments: (after, limit) => guarded(() => unreadDocuments(db, requireOther(db), after, limit)),
    fillMemories: (filled) => change(() => fillMemories(db, requireOther(db), filled)),
    fillDocuments: (filled) => change(() => fillDocuments(db, requireOther(db), filled)),
    lacking: () => guarded(() => lacking(db, spaces())),
    sample: (count) =>
      guarded(() => {
        requireWholeIndex(db, requireOther(db));
        return sampleMemories(db, requireOther(db), count);
      }),
    open: () => guarded(() => open(requireOther(db))),
    switchTo: (storage, mayLack, then) =>
      guarded(() => {
        const left = db.transaction(() => {
          const { other } = spaces();
          const found = lacking(db, spaces());
          if (!mayLack && found.memories + found.documents > 0) return found;
          db.writeConnection.exec("update generations set state = 'previous', has_answered = 1 where state = 'active'");
          db.writeConnection
            .query("update generations set state = 'active', has_answered = 1, finished_at = ? where side = ?")
            .run(now(), sideOf(other));
          settleEmbedded(db, other, clock.now());
          return { ...found, isSwitched: true };
        });
        if (!("isSwitched" in left)) return left;
        overtake(storage);
        then();
        return { memories: 0, documents: 0 };
      }),
    drop: () => change(() => dropSome(db)),
  };
}

function requireOther(db: Connections): EmbedderSpace {
  const other = otherSpace(db.writeConnection);
  if (other) return other;
  throw new AppError("CONFLICT", "There is no other model beside the one that answers.");
}

/** Writes down which model answers, where that was never changed, and which is to. */
function begin(
  { writeConnection: db, space }: Engine,
  { answering, next, now }: { readonly answering: ModelSpace; readonly next: ModelSpace; readonly now: string },
): void {
  const side = sideOf(space);
  const { other } = generationRows(db);
  if (other && (other.state === "dropping" || other.embedder_id !== next.embedder.id))
    throw new AppError(
      "CONFLICT",
      `Vectors of ${other.model} are still there. Take them out with \`cairn reembed --drop-old\`.`,
    );
  putGeneration(db, side, answering, { state: "active", now });
  putGeneration(db, otherSide(side), next, { state: "building", now });
}

/** Takes the vectors of some rows out, and the model's name with the last of them. */
function dropSome(db: Engine): boolean {
  const { writeConnection, space } = db;
  const { memory_vectors, document_vectors, memory_codes, document_codes } = SIDES[otherSide(sideOf(space))];
  const some = (table: string, key = "seq") =>
    writeConnection
      .query<{ seq: number }, [number]>(`select ${key} as seq from ${table} limit ?`)
      .all(DROPPED_PER_STEP)
      .map(({ seq }) => Math.abs(seq));
  const rows = some(memory_vectors);
  const [memories, documents] = [
    rows.length > 0 ? rows : some(`${memory_codes}_rowids`, "rowid"),
    [...some(document_vectors), ...some(`${document_codes}_rowids`, "rowid")],
  ];
  for (const seq of memories) removeOtherVectors(db, space, seq);
  within(db, "", function* (work) {
    for (const seq of documents) yield* removeOtherDocumentVector(work, space, seq);
  });
  if (memories.length + documents.length > 0) return true;
  writeConnection.exec("delete from generations where state <> 'active'");
  return false;
}
