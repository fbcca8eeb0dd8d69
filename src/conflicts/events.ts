import type { StoredMemory } from "../core/ports/stored-memory.ts";
import { inferredOf } from "../memories/inferred-fields.ts";
import { isSpeaker } from "../text/names/speaker.ts";
import type { SpeakerLabel } from "../text/words/speaker-label.ts";
import { speakerLabel } from "../text/words/speaker-label.ts";

/** Words behind a label from which it is somebody's name and no heading: "Contact: Marta" is a statement. */
const SAID_WORDS_MIN = 4;

/**
 * A turn of a conversation: part of a run, with the name of whoever says it before what is said. It records what was said,
 * which stays true whatever is said later, and half of it is greetings; the detector leaves it alone.
 */
export function isTurn({ run_id, content }: Pick<StoredMemory, "run_id" | "content">): boolean {
  const label = run_id === null ? null : speakerLabel(content);
  return label !== null && saysEnough(content, label);
}

const saysEnough = (content: string, { end }: SpeakerLabel): boolean =>
  content.slice(end).trim().split(/\s+/).length >= SAID_WORDS_MIN;

/** By these somebody speaks for themselves or to somebody. */
const SPOKEN = /[?!]|\b(?:I|me|my|we|us|our|you|your)\b/i;

/**
 * What somebody says, by its text alone: a conversation that was imported without its run. One such text may clash with a
 * statement, but two of them are turns, and leave each other alone.
 */
export function isUtterance({ content }: Pick<StoredMemory, "content">): boolean {
  const label = speakerLabel(content);
  return label !== null && isSpeaker(label.name) && saysEnough(content, label) && SPOKEN.test(content.slice(label.end));
}

/**
 * What its writer calls an episode: it happened, and stays true when things move on. It may show that a statement no longer
 * holds, but is itself not demoted. A type that was only read from the text is no such word of the writer's.
 */
export const isEpisode = (memory: StoredMemory): boolean =>
  memory.memory_type === "episode" && !inferredOf(memory).includes("memory_type");
