import { mapCooperatively, yieldToEventLoop } from "../core/kernel/event-loop.ts";
import type { Services } from "../core/ports/context.ts";
import type { MemoryNames, NamedThing } from "../core/ports/entity-store.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import type { Mention } from "../text/names/mention.ts";
import { nameKey, nameWords } from "../text/names/name-key.ts";
import { findAlike } from "./alike.ts";
import type { Extraction } from "./extract.ts";
import { extractEntities } from "./extract.ts";

/** Rows linked in one transaction: few enough that nobody waits for them. */
const ROWS_PER_STEP = 20;

export interface RowsToLink {
  readonly tenant_id: string;
  readonly memory_ids: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** Links memories to what their texts name, a few at a time. Doing it twice changes nothing; rows that are gone are skipped. */
export async function linkEntities(services: Services, { tenant_id, memory_ids, signal }: RowsToLink): Promise<void> {
  for (let i = 0; i < memory_ids.length; i += ROWS_PER_STEP) {
    if (i > 0) await yieldToEventLoop();
    signal?.throwIfAborted();
    const rows = await rowsOf(services, tenant_id, memory_ids.slice(i, i + ROWS_PER_STEP));
    const read = await mapCooperatively(rows, (memory) => ({ memory, extraction: extractEntities(memory.content) }));
    const names: MemoryNames[] = [];
    for (const rows of byReaders(read)) {
      const mentions = rows.flatMap(({ extraction }) => extraction.mentions);
      const alike = await findAlike(services, rows[0].memory, { mentions, signal });
      names.push(...rows.map((row) => toNames(row, alike)));
    }
    await services.storage.entities.link(tenant_id, names);
  }
}

interface ReadRow {
  readonly memory: StoredMemory;
  readonly extraction: Extraction;
}

/** Rows by whom they are for: a name that one of them knows means nothing to those of others. */
function byReaders(rows: readonly ReadRow[]): Iterable<readonly [ReadRow, ...ReadRow[]]> {
  const groups = new Map<string, [ReadRow, ...ReadRow[]]>();
  for (const row of rows) {
    const { visibility, fleet_id, agent_id } = row.memory;
    const readers = JSON.stringify([visibility, fleet_id, agent_id]);
    const group = groups.get(readers);
    if (group) group.push(row);
    else groups.set(readers, [row]);
  }
  return groups.values();
}

const rowsOf = ({ storage }: Services, tenant_id: string, ids: readonly string[]): Promise<StoredMemory[]> =>
  storage.memories.list({
    filter: { tenant_id, ids },
    sort: "created_at",
    order: "asc",
    after: null,
    offset: 0,
    limit: ids.length,
  });

function toNames({ memory, extraction }: ReadRow, alike: ReadonlyMap<string, string>): MemoryNames {
  const things = extraction.mentions.map((mention) => toThing(mention, alike.get(mention.key) ?? null));
  return { id: memory.id, content_hash: memory.content_hash, things, same: extraction.same };
}

function toThing(mention: Mention, alike_key: string | null): NamedThing {
  const { name, key, entity_type, role, sure } = mention;
  return { name, key, entity_type, role, sure, alike_key, short_key: shortKey(mention) };
}

/** The first name of a full one: "Anna" of "Anna Keller". */
function shortKey({ entity_type, name }: Mention): string | null {
  const words = nameWords(name);
  return entity_type === "person" && words.length > 1 ? nameKey(words[0] ?? "") : null;
}
