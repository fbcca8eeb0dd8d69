import type { JsonObject } from "../kernel/json.ts";
import { rounded } from "../kernel/text.ts";
import type { StoredMemory } from "../ports/memory-store.ts";
import type { EmbeddingStats, Memory, MemoryDetail, ScoreParts, SupersededBy, Usage } from "../schema/memory.ts";

/** Ranking output of one row, already rounded. */
export interface RankedView {
  readonly similarity: number | null;
  readonly score: number;
  readonly score_parts: ScoreParts;
}

/** What a reply knows of a memory beside the row itself. */
export interface ViewExtra {
  readonly ranked?: RankedView;
  readonly usage?: Usage;
  /** The older rows that it supersedes and the reader sees. */
  readonly superseded_by?: readonly SupersededBy[] | undefined;
  /** It stands in for a superseded row rather than by its own rank. */
  readonly injected?: boolean;
}

/** A memory as every reply but the single read shows it. */
export function toMemoryView(memory: StoredMemory, extra: ViewExtra = {}): Memory {
  return {
    ...sharedView(memory, extra.superseded_by),
    entity_links: [...memory.entity_links],
    similarity: extra.ranked?.similarity ?? null,
    score: extra.ranked?.score ?? null,
    score_parts: extra.ranked?.score_parts ?? null,
    injected: extra.injected ?? false,
    superseded_by: extra.superseded_by ? [...extra.superseded_by] : null,
    confidence: null,
    is_inferred: false,
    scope: null,
    usage: extra.usage ?? null,
  };
}

/** A memory as the read by id shows it. */
export function toMemoryDetail(
  memory: StoredMemory,
  vector: Float32Array | null,
  superseded?: readonly SupersededBy[],
): MemoryDetail {
  return {
    ...sharedView(memory, superseded),
    entity_links: [...memory.entity_links],
    content_hash: memory.content_hash,
    deleted_at: memory.deleted_at,
    embedding_preview: vector && Array.from(vector.slice(0, PREVIEW_COMPONENTS)),
    embedding_stats: vector && embeddingStats(vector),
  };
}

const PREVIEW_COMPONENTS = 20;

/** A row that the reader must not see is not named to it either. */
function sharedView(memory: StoredMemory, superseded: ViewExtra["superseded_by"] = []) {
  const { embedded_by, content_hash: _hash, deleted_at: _deleted, entity_links: _links, ...shown } = memory;
  const pending: JsonObject | null = embedded_by === null ? { embedding_pending: true } : null;
  return {
    ...shown,
    supersedes_id: superseded.some((older) => older.old_memory_id === memory.supersedes_id)
      ? memory.supersedes_id
      : null,
    agent_display_name: null,
    metadata: pending ? { ...memory.metadata, ...pending } : memory.metadata,
    system_metadata: pending ? { ...memory.system_metadata, ...pending } : memory.system_metadata,
  };
}

/** Below this a component counts as zero. */
const ZERO = 1e-8;

function embeddingStats(vector: Float32Array): EmbeddingStats {
  const values = Array.from(vector);
  const sum = values.reduce((total, value) => total + value, 0);
  return {
    dimensions: values.length,
    min: rounded(Math.min(...values), 6),
    max: rounded(Math.max(...values), 6),
    mean: rounded(sum / values.length, 6),
    non_zero: values.filter((value) => Math.abs(value) > ZERO).length,
  };
}
