import type { JsonObject } from "../../core/kernel/json.ts";
import type { Hit, HitExtra, HitLeg, HitMemory } from "../../core/ports/hits.ts";
import type { StoredLink } from "../../core/ports/stored-memory.ts";
import { jsonIn } from "../units/dialect.ts";

/** A row as an engine reads it for a search; one engine has its JSON as text. */
export interface ReadRow extends Omit<HitMemory, HitExtra> {
  readonly entity_links: readonly StoredLink[] | string | null;
  readonly system_metadata: JsonObject | string | null;
  readonly previous_seq: number | null;
}

/** What is known of a row beside itself. */
export interface Signals extends Pick<Hit, "vec_sim" | "context_sim" | "own_words" | "near_words"> {
  readonly isNear: boolean;
}

/** The hit that a row is. Named one by one: objects of one shape are fast to make and to read. */
export function toHit(row: ReadRow, { isNear, ...signals }: Signals, extras: readonly HitExtra[]): Hit {
  const legs: HitLeg[] = [];
  if (isNear) legs.push("vector");
  if (signals.own_words !== 0) legs.push("keyword");
  const { vec_sim, context_sim, own_words, near_words } = signals;
  return {
    memory: toHitMemory(row, extras),
    vec_sim,
    context_sim,
    own_words,
    near_words,
    opens_run: row.previous_seq === null,
    legs,
  };
}

const toHitMemory = (row: ReadRow, extras: readonly HitExtra[]): HitMemory => ({
  id: row.id,
  title: row.title,
  content: row.content,
  memory_type: row.memory_type,
  status: row.status,
  run_id: row.run_id,
  created_at: row.created_at,
  ts_valid_start: row.ts_valid_start,
  ts_valid_end: row.ts_valid_end,
  entity_links: extras.includes("entity_links") ? linksIn(row.entity_links) : NO_LINKS,
  system_metadata: extras.includes("system_metadata") ? jsonIn<JsonObject | null>(row.system_metadata) : null,
});

const NO_LINKS: readonly StoredLink[] = [];
/** A row without links is not worth a parse. */
const linksIn = (stored: ReadRow["entity_links"]): readonly StoredLink[] =>
  stored === null || stored === "[]" ? NO_LINKS : jsonIn<readonly StoredLink[]>(stored);
