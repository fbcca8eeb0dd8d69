import type { Hit, HitExtra, HitLeg, HitMemory, HitQuery, HitReply } from "../../../core/ports/hits.ts";
import type { Audience } from "../../common/audiences.ts";
import type { EmbedderSpace } from "../../options.ts";
import { audiencesOf } from "../accounts/audiences.ts";
import type { Engine } from "../engine/work.ts";
import { memoryWhere } from "../memories/filters.ts";
import type { HitRow } from "./hit-rows.ts";
import { readHitRows } from "./hit-rows.ts";
import { keywordLeg } from "./keyword-leg.ts";
import { nearestRows } from "./nearest.ts";
import { lookUp, readableAmong } from "./word-counts.ts";

/**
 * Both legs of a search, each bounded and each on a connection of its own, merged by row, with exact cosines. The rows are
 * read last, and once more held against the filter: what was changed meanwhile is as it is now.
 */
export async function findHits(engine: Engine, space: EmbedderSpace, query: HitQuery): Promise<HitReply> {
  const { filter, vector, extras = [] } = query;
  const startedAt = performance.now();
  const audiences = await engine.look((work) => audiencesOf(work, filter.tenant_id));
  const [{ words, worded, took: keyword }, { near, took: nearest }] = await Promise.all([
    findByWords(engine, audiences, query),
    findByMeaning(engine, { space, audiences }, query),
  ]);
  const own = vector?.embedder_id === space.id ? vector : null;
  const seqs = [...new Set([...near, ...worded])];
  const compared = { filter, space, vector: own, words, extras };
  const read = seqs.length === 0 ? [] : await engine.look((work) => readHitRows(work, compared, seqs));
  const rows = new Map(read.map((row) => [row.seq, row]));
  const isNear = new Set(near);
  const hits = seqs.flatMap((seq) => {
    const row = rows.get(seq);
    return row ? [toHit(row, isNear.has(seq), extras)] : [];
  });
  return {
    hits,
    words: words.map(({ word, weight, rows }) => ({ word, weight, rows })),
    // Both legs go at the same time: of the second one counts what it took longer than the first.
    took_ms: {
      keyword,
      vector: Math.max(0, nearest - keyword),
      load: performance.now() - startedAt - Math.max(keyword, nearest),
    },
  };
}

async function findByWords(engine: Engine, audiences: readonly Audience[], { filter, words, pool }: HitQuery) {
  const startedAt = performance.now();
  const { tenant_id } = filter;
  const readable = readableAmong(audiences, filter);
  const found = await engine.look(async (work) => {
    const weighed = await lookUp(work, words, readable);
    return {
      words: weighed,
      worded: await keywordLeg(work, { tenant_id, words: weighed, where: memoryWhere(filter), pool }),
    };
  });
  return { ...found, took: performance.now() - startedAt };
}

interface Meant {
  readonly space: EmbedderSpace;
  readonly audiences: readonly Audience[];
}

async function findByMeaning(engine: Engine, { space, audiences }: Meant, { filter, vector, pool }: HitQuery) {
  const startedAt = performance.now();
  const near =
    vector === null
      ? []
      : await engine.snapshot((work) => nearestRows(work, space, { filter, pool, audiences }, vector));
  return { near, took: performance.now() - startedAt };
}

function toHit(row: HitRow, isNear: boolean, extras: readonly HitExtra[]): Hit {
  const { own_words, near_words, vec_sim, secondary_sim, context_sim } = row;
  const legs: HitLeg[] = [];
  if (isNear) legs.push("vector");
  if (own_words !== 0) legs.push("keyword");
  const opens_run = row.previous_seq === null;
  return {
    memory: toHitMemory(row, extras),
    vec_sim,
    secondary_sim,
    context_sim,
    own_words,
    near_words,
    opens_run,
    legs,
  };
}

const toHitMemory = (row: HitRow, extras: readonly HitExtra[]): HitMemory => ({
  id: row.id,
  title: row.title,
  content: row.content,
  memory_type: row.memory_type,
  status: row.status,
  run_id: row.run_id,
  created_at: row.created_at,
  ts_valid_start: row.ts_valid_start,
  ts_valid_end: row.ts_valid_end,
  entity_links: extras.includes("entity_links") ? (row.entity_links ?? []) : [],
  system_metadata: extras.includes("system_metadata") ? row.system_metadata : null,
});
