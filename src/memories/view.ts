import { memoryVersion } from "../access/versions.ts";
import type { JsonObject } from "../core/kernel/json.ts";
import { rounded } from "../core/kernel/text.ts";
import type { DescribedEntity } from "../core/ports/entity-store.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import type { EmbeddingStats } from "../core/schema/embedding.ts";
import type { EntityLink, Memory, MemoryDetail, ScoreParts, SupersededBy } from "../core/schema/memory.ts";
import type { PossibleChange } from "../core/schema/observing/possible-change.ts";
import type { Usage } from "../core/schema/usage.ts";

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
  /** The older rows that it supersedes and the reader sees, the surest first. */
  readonly superseded_by?: readonly SupersededBy[] | undefined;
  /** Newer rows that the reader sees and by which it may hold no longer, the surest first. */
  readonly may_have_changed?: readonly PossibleChange[] | undefined;
  /** It stands in for a superseded row rather than by its own rank. */
  readonly injected?: boolean;
}

/** A memory as every reply but the single read shows it. */
export function toMemoryView(memory: StoredMemory, extra: ViewExtra = {}): Memory {
  return {
    ...sharedView(memory, extra.superseded_by),
    entity_links: memory.entity_links.map(toLink),
    similarity: extra.ranked?.similarity ?? null,
    score: extra.ranked?.score ?? null,
    score_parts: extra.ranked?.score_parts ?? null,
    injected: extra.injected ?? false,
    superseded_by: extra.superseded_by ? [...extra.superseded_by] : null,
    may_have_changed: extra.may_have_changed ? [...extra.may_have_changed] : null,
    confidence: null,
    is_inferred: false,
    scope: null,
    usage: extra.usage ?? null,
  };
}

/** What the read by id shows besides the row. */
export interface DetailView {
  readonly vector: Float32Array | null;
  /** The entities that the row is linked to. */
  readonly entities: readonly DescribedEntity[];
  readonly superseded?: readonly SupersededBy[] | undefined;
}

/** A memory as the read by id shows it. */
export function toMemoryDetail(memory: StoredMemory, { vector, entities, superseded }: DetailView): MemoryDetail {
  const known = new Map(entities.map((entity) => [entity.id, entity]));
  return {
    ...sharedView(memory, superseded),
    entity_links: memory.entity_links.map((link) => ({ ...toLink(link), ...linkedEntity(known.get(link.entity_id)) })),
    content_hash: memory.content_hash,
    deleted_at: memory.deleted_at,
    embedding_preview: vector && Array.from(vector.slice(0, PREVIEW_COMPONENTS)),
    embedding_stats: vector && embeddingStats(vector),
  };
}

/** A caller need not know whether a link is its own or inferred. */
const toLink = ({ entity_id, role }: EntityLink): EntityLink => ({ entity_id, role });

/** A link to an entity that Cairn does not know stands alone. */
const linkedEntity = (entity: DescribedEntity | undefined) =>
  entity && {
    entity_type: entity.entity_type,
    canonical_name: entity.canonical_name,
    attributes: entity.attributes,
  };

const PREVIEW_COMPONENTS = 20;

/** A row that the reader must not see is not named to it either: it is told the surest of those that it sees. */
function sharedView(memory: StoredMemory, superseded: ViewExtra["superseded_by"] = []) {
  const { embedded_by, content_hash: _hash, deleted_at: _deleted, entity_links: _links, ...shown } = memory;
  const pending: JsonObject | null = embedded_by === null ? { embedding_pending: true } : null;
  return {
    ...shown,
    supersedes_id: superseded[0]?.old_memory_id ?? null,
    subject_entity_id: memory.subject_entity_id ?? subjectOf(memory),
    agent_display_name: null,
    metadata: pending ? { ...memory.metadata, ...pending } : memory.metadata,
    system_metadata: pending ? { ...memory.system_metadata, ...pending } : memory.system_metadata,
    version: memoryVersion(memory),
  };
}

/** The one entity that the statement is about. */
function subjectOf({ entity_links }: StoredMemory): string | null {
  const [subject, ...others] = entity_links.filter(({ role }) => role === "subject");
  return subject && others.length === 0 ? subject.entity_id : null;
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
