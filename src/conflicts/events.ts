import type { StoredMemory } from "../core/ports/stored-memory.ts";
import { inferredOf } from "../memories/inferred-fields.ts";
import { speakerLabel } from "../text/words/speaker-label.ts";

/** Words behind a label from which it is somebody's name and no heading: "Contact: Marta" is a statement. */
const SAID_WORDS_MIN = 4;

/**
 * A turn of a conversation: part of a run, with the name of whoever says it before what is said. It records what was said,
 * which stays true whatever is said later, and half of it is greetings; the detector leaves it alone.
 */
export function isTurn({ run_id, content }: Pick<StoredMemory, "run_id" | "content">): boolean {
  const label = run_id === null ? null : speakerLabel(content);
  return label !== null && content.slice(label.end).trim().split(/\s+/).length >= SAID_WORDS_MIN;
}

/**
 * What its writer calls an episode: it happened, and stays true when things move on. It may show that a statement no longer
 * holds, but is itself not demoted. A type that was only read from the text is no such word of the writer's.
 */
export const isEpisode = (memory: StoredMemory): boolean =>
  memory.memory_type === "episode" && !inferredOf(memory).includes("memory_type");
