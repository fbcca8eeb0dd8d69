import type { SQL } from "drizzle-orm";
import type { HitQuery, HitReply, WeighedWord } from "../../../core/ports/hits.ts";
import { memoryWhere } from "../../memories/filters.ts";
import { countPending } from "../../memories/pending.ts";
import type { EmbedderSpace } from "../../options.ts";
import { toHit } from "../../search/hit.ts";
import { audiencesOf } from "../accounts/audiences.ts";
import { vectorOrNull } from "../engine/values.ts";
import type { Engine } from "../engine/work.ts";
import { postgresDialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";
import type { HitRow } from "./hit-rows.ts";
import { foundBefore, foundBy, readHitRows } from "./hit-rows.ts";
import { keywordLeg } from "./keyword-leg.ts";
import type { LookedUp } from "./looked-up.ts";
import { lookUp } from "./looked-up.ts";
import { comparedRows, indexedRows } from "./nearest.ts";
import { readableAmong } from "./word-counts.ts";

/**
 * Both legs of a search, each bounded and at the same time, merged by row, with exact cosines. The rows are
 * read last, as soon as their leg has found them, and once more held against the filter: what was changed meanwhile is as it
 * is now.
 */
export async function findHits(engine: Engine, space: EmbedderSpace, query: HitQuery): Promise<HitReply> {
  const { filter, vector, pending_most = 0 } = query;
  let startedAt = performance.now();
  const telling = Promise.resolve(query.extras ?? []);
  telling.then(
    // What was done before is of the time that it took to tell them.
    () => {
      startedAt = performance.now();
    },
    // Nobody waits for them where the search has failed before.
    () => {},
  );
  const counting =
    pending_most === 0
      ? 0
      : engine.look((work) => drive(work, countPending({ dialect: postgresDialect }, space, filter, pending_most)));
  const [audiences, pending] = await Promise.all([
    engine.look((work) => audiencesOf(work, filter.tenant_id)),
    counting,
  ]);
  const readable = readableAmong(audiences, filter);
  const looking = engine.look((work) => lookUp(work, query, readable));
  // Those of another model say nothing of rows that this one has read.
  const asked = vectorOrNull(vector?.embedder_id === space.id ? vector.values : null);
  const read = async (found: SQL): Promise<HitRow[]> => {
    const [extras, words] = await Promise.all([telling, looking]);
    const tokens = words.map((word) => word.tokens);
    return engine.look((work) => readHitRows(work, { filter, space, asked, tokens, extras }, found));
  };
  const readKnown = async (seqs: readonly number[]): Promise<HitRow[]> =>
    seqs.length === 0 ? [] : read(foundBefore(seqs));
  const byWords = async (): Promise<Worded> => {
    const words = await looking;
    const leg = { tenant_id: filter.tenant_id, words, where: memoryWhere(postgresDialect, filter), pool: query.pool };
    const seqs = await engine.look((work) => keywordLeg(work, leg));
    return { words, rows: await readKnown(seqs) };
  };
  const byMeaning = async (): Promise<HitRow[]> => {
    if (vector === null) return [];
    const nearest = { ...query, audiences };
    // The index is asked by the statement that reads its rows.
    const indexed = await engine.look((work) => indexedRows(work, space, nearest, vector.values));
    const rows = indexed ? await read(foundBy(indexed)) : [];
    if (rows.length >= query.pool) return rows;
    return readKnown(await engine.look((work) => comparedRows(work, space, nearest, vector.values)));
  };
  const [meant, worded] = await Promise.all([timed(byMeaning), timed(byWords)]);
  const { words } = worded.found;
  const isNear = new Set(meant.found.map(({ seq }) => seq));
  const rows = new Map([...meant.found, ...worded.found.rows].map((row) => [row.seq, row]));
  const extras = await telling;
  const told = bitsThatTell(words);
  return {
    hits: [...rows.values()].map((row) => {
      const [own_words, near_words] = [row.own_words & told, row.near_words & told];
      return toHit(row, { ...row, own_words, near_words, isNear: isNear.has(row.seq) }, extras);
    }),
    words: words.map(({ tokens, ...word }) => word),
    pending,
    // Both legs go at the same time: of the second one counts what it took longer than the first.
    took_ms: {
      keyword: Math.max(0, worded.endedAt - startedAt),
      vector: Math.max(0, meant.endedAt - Math.max(worded.endedAt, startedAt)),
      load: performance.now() - Math.max(worded.endedAt, meant.endedAt, startedAt),
    },
  };
}

/** What the words of a query found, with what they weigh. */
interface Worded {
  readonly words: readonly LookedUp[];
  readonly rows: readonly HitRow[];
}

const timed = async <Found>(leg: () => Promise<Found>) => ({ found: await leg(), endedAt: performance.now() });

/** Bits of the words that weigh anything: the others are in too many rows. */
const bitsThatTell = (words: readonly WeighedWord[]): number =>
  words.reduce((bits, { weight }, i) => (weight > 0 ? bits | (1 << i) : bits), 0);
