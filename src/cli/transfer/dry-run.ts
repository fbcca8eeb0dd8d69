import type { ReadLine, ReadRecord } from "../../formats/reader.ts";

/** What a source itself brings that its relations and findings refer to. */
export interface SourceNames {
  /** Whether both ends of a relation or finding come with the source: a dry run, which stores nothing, refuses such a record. */
  hasEndsOf(record: ReadRecord): boolean;
  /** What becomes of a memory that an earlier one of the source would leave no room for; null for all others. Asked once of each, in order. */
  repeats(record: ReadRecord): "exists" | "duplicate" | null;
}

/** Reads a source for the ids of its memories, and for the ids and names of its entities. */
export async function namesIn({ read }: { read(): AsyncIterable<ReadLine> }): Promise<SourceNames> {
  const known = new Set<string>();
  for await (const line of read()) {
    if (!("record" in line)) continue;
    const { record } = line;
    if (record.record === "memory" && record.id) known.add(record.id.toLowerCase());
    if (record.record === "entity") known.add(record.canonical_name);
    if (record.record === "entity" && record.id) known.add(record.id.toLowerCase());
  }
  const isKnown = (id: string, name?: string | null): boolean =>
    known.has(id.toLowerCase()) || (name != null && known.has(name));
  const ids = new Set<string>();
  const texts = new Set<string>();
  return {
    repeats: (record) => {
      if (record.record !== "memory") return null;
      const { id, content, agent_id, fleet_id, visibility, created_at } = record;
      const same = [agent_id, fleet_id, visibility, content];
      const [own, text] = [id ?? JSON.stringify([...same, created_at]), JSON.stringify(same)];
      const found = ids.has(own) ? "exists" : texts.has(text) ? "duplicate" : null;
      ids.add(own);
      texts.add(text);
      return found;
    },
    hasEndsOf: (record) => {
      if (record.record === "finding") return isKnown(record.newer_id) && isKnown(record.older_id);
      if (record.record !== "relation") return false;
      return isKnown(record.from_entity_id, record.from_name) && isKnown(record.to_entity_id, record.to_name);
    },
  };
}
