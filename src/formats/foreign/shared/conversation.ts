import type { JsonValue } from "../../../core/kernel/json.ts";
import type { Place, ReadLine } from "../../reader.ts";
import { isTooShort, memoryLines } from "./memory.ts";
import type { Written } from "./times.ts";

/** What a person wrote at one time in a conversation with an assistant. */
export interface Turn {
  readonly id: string;
  readonly text: string;
  /** As the export has it. */
  readonly at: Written;
}

export interface Conversation {
  /** The reader's name. */
  readonly tool: string;
  readonly id: string;
  readonly name: string | null | undefined;
  readonly project?: string | null | undefined;
  /** When it began; turns without a time of their own have this one. */
  readonly at: Written;
  readonly turns: readonly Turn[];
  readonly imported?: Readonly<Record<string, JsonValue | undefined>>;
}

/**
 * Each message of the person as an episode of the run that the conversation is. Those too short for a memory ("yes, go on")
 * are left out, and so is what the assistant answered: it is no statement of anybody, and often wrong.
 */
export const conversationLines = (
  place: Place,
  { tool, id, name, project, at, turns, imported }: Conversation,
): ReadLine[] =>
  turns
    .filter(({ text }) => !isTooShort(text))
    .flatMap((turn) =>
      memoryLines(place, {
        tool,
        id: ["message", id, turn.id],
        text: turn.text,
        title: name,
        memory_type: "episode",
        run_id: id,
        project,
        created_at: [turn.at, at],
        metadata: { role: "user" },
        imported: { id: turn.id, conversation: id, ...imported },
      }),
    );
