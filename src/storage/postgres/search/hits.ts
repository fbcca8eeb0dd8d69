import type { Hit, HitExtra, HitLeg, HitMemory, HitQuery, HitReply } from "../../../core/ports/hits.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Work } from "../engine/work.ts";
import { memoryWhere } from "../memories/filters.ts";
import type { HitRow } from "./hit-rows.ts";
import { readHitRows } from "./hit-rows.ts";
import { keywordLeg } from "./keyword-leg.ts";
import { nearestRows } from "./nearest.ts";
import { lookUp, readableRows } from "./word-counts.ts";

/** Both legs of a search, each bounded, merged by row, with exact cosines; all of one moment. */
export async function findHits(work: Work, space: EmbedderSpace, query: HitQuery): Promise<HitReply> {
  const { filter, vector, pool, extras = [] } = query;
  const startedAt = performance.now();
  const words = await lookUp(work, query.words, await readableRows(work, filter));
  const { tenant_id } = filter;
  const worded = await keywordLeg(work, { tenant_id, words, where: memoryWhere(filter), pool });
  const wordsAt = performance.now();
  const near = vector ? await nearestRows(work, space, { filter, pool }, vector) : [];
  const nearAt = performance.now();
  const own = vector?.embedder_id === space.id ? vector : null;
  const seqs = [...new Set([...near, ...worded])];
  const read = seqs.length === 0 ? [] : await readHitRows(work, { tenant_id, space, vector: own, words, extras }, seqs);
  const rows = new Map(read.map((row) => [row.seq, row]));
  const nearest = new Set(near);
  const hits = seqs.flatMap((seq) => {
    const row = rows.get(seq);
    return row ? [toHit(row, nearest.has(seq), extras)] : [];
  });
  const doneAt = performance.now();
  return {
    hits,
    words: words.map(({ word, weight, rows }) => ({ word, weight, rows })),
    took_ms: { keyword: wordsAt - startedAt, vector: nearAt - wordsAt, load: doneAt - nearAt },
  };
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
