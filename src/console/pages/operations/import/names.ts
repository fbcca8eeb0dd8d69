import type { FileRecord } from "./export-file.ts";
import { sha256 } from "./sha256.ts";

/** What a file itself brings that its relations and findings refer to: a dry run, which stores nothing, takes it for stored. */
export interface FileNames {
  add(record: FileRecord): void;
  /** Whether both ends of a relation or finding come with the file. */
  hasEndsOf(record: FileRecord): boolean;
  /** For each dry run anew: what becomes of a memory that an earlier one would leave no room for; null for all others. */
  repeats(): (record: FileRecord) => "exists" | "duplicate" | null;
}

/** Enough of a digest that no two texts of a file share it. */
const KEPT_LENGTH = 24;
const lower = (value: unknown): string => (typeof value === "string" ? value.toLowerCase() : "");

/** Gathers the ids of memories, and the ids and names of entities; texts are not kept. */
export function gatherNames(): FileNames {
  const known = new Set<unknown>();
  const isKnown = (id: unknown, name?: unknown) => known.has(lower(id)) || (name != null && known.has(name));
  return {
    add: (record) => {
      if (record.record !== "memory" && record.record !== "entity") return;
      if (record.id) known.add(lower(record.id));
      if (record.record === "entity") known.add(record.canonical_name);
    },
    hasEndsOf: (one) => {
      if (one.record === "finding") return isKnown(one.newer_id) && isKnown(one.older_id);
      if (one.record !== "relation") return false;
      return isKnown(one.from_entity_id, one.from_name) && isKnown(one.to_entity_id, one.to_name);
    },
    repeats: () => {
      const ids = new Set<string>();
      const texts = new Set<string>();
      return ({ record, id, content, agent_id, fleet_id, visibility, created_at }) => {
        if (record !== "memory") return null;
        const same = [agent_id, fleet_id, visibility, content];
        const text = digestOf(same);
        const own = typeof id === "string" ? id : digestOf([...same, created_at]);
        const found = ids.has(own) ? "exists" : texts.has(text) ? "duplicate" : null;
        ids.add(own);
        texts.add(text);
        return found;
      };
    },
  };
}

function digestOf(value: unknown): string {
  const digest = sha256();
  digest.update(JSON.stringify(value));
  return digest.end().slice(0, KEPT_LENGTH);
}
