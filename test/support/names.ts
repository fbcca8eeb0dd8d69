import type { MemoryNames, NamedThing } from "../../src/core/ports/entity-store.ts";
import type { StoredMemory } from "../../src/core/ports/stored-memory.ts";
import { nameKey } from "../../src/text/names/name-key.ts";

/** A thing that a row names, sure and of no known kind unless said otherwise. */
export const aThing = (name: string, fields: Partial<NamedThing> = {}): NamedThing => ({
  name,
  key: nameKey(name),
  entity_type: "unknown",
  role: "mentioned",
  sure: true,
  short_key: null,
  alike_key: null,
  ...fields,
});

/** A person under the full name: others may call them by the first word of it. */
export const aPerson = (name: string): NamedThing =>
  aThing(name, { entity_type: "person", short_key: nameKey(name.split(" ")[0] ?? "") });

/** What a row names. */
export const naming = (
  { id, content_hash }: StoredMemory,
  things: readonly NamedThing[],
  same: MemoryNames["same"] = [],
): MemoryNames => ({ id, content_hash, things, same });
