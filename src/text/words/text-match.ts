import { normalized } from "../../core/kernel/text.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";

/** A text as it is compared: without case ("ß" is "SS", "İ" is "i"), and without the ways of writing that look the same. */
const folded = (text: string): string =>
  normalized(text, "NFKC").toLowerCase().replaceAll("i\u0307", "i").toUpperCase().toLowerCase();

/** Tells whether texts hold another, whatever its case; also texts that are JSON, in which some characters are escaped. */
export function textMatch(wanted: string): (text: string) => boolean {
  const plain = folded(wanted);
  const escaped = JSON.stringify(plain).slice(1, -1);
  return (text) => {
    const held = folded(text);
    return held.includes(plain) || held.includes(escaped);
  };
}

/** All that a memory says, but for the names of its agent and fleet. */
export const saidBy = ({
  title,
  content,
  source_uri,
  run_id,
  predicate,
  object_value,
  ...rest
}: StoredMemory): string => {
  const { metadata, system_metadata, entity_links } = rest;
  const json = [metadata, system_metadata, entity_links].map((value) => value && JSON.stringify(value));
  return [title, content, source_uri, run_id, predicate, object_value, ...json].join("\n");
};
