import type { MemoryType } from "../../core/schema/memory.ts";
import type { Place, ReadLine } from "../reader.ts";
import { type Message, textOf } from "./chatgpt-tree.ts";
import { isTooShort, memoryLines } from "./shared/memory.ts";
import type { Written } from "./shared/times.ts";

interface Heard {
  readonly tool: string;
  readonly message: Message;
  /** When the conversation began. */
  readonly at: Written;
  readonly conversation: string;
}

interface Kept {
  readonly text: string;
  readonly subject?: string;
  readonly at?: Written;
  readonly memory_type?: MemoryType;
}

/**
 * What ChatGPT keeps of a person, which the export has within conversations only: what it wrote to its memory (addressed to
 * `bio`), the list of it that a conversation began with, and the custom instructions. Known by its text: the same text twice is
 * one memory.
 */
export function remembered(place: Place, { tool, message, at, conversation }: Heard): ReadLine[] {
  return [...saved(message), ...listed(message), ...instructions(message)]
    .filter(({ text }) => !isTooShort(text))
    .flatMap((kept) =>
      memoryLines(place, {
        tool,
        id: ["memory", kept.text],
        text: kept.text,
        subject: kept.subject,
        memory_type: kept.memory_type,
        created_at: [kept.at, message.create_time, at],
        imported: { conversation },
      }),
    );
}

const saved = (message: Message): Kept[] =>
  message.author.role === "assistant" && message.recipient === "bio"
    ? [{ text: textOf(message), memory_type: "fact" }]
    : [];

/** `1. [2025-05-02]. The user ...` */
const NUMBERED = /^\s*\d+\.\s*\[(\d{4}-\d\d-\d\d)\]\.?\s*(.+)$/;

const listed = ({ content }: Message): Kept[] =>
  (content?.model_set_context ?? "").split("\n").flatMap((line) => {
    const [, date, text] = NUMBERED.exec(line) ?? [];
    return text === undefined ? [] : [{ text: text.trim(), at: date, memory_type: "fact" as const }];
  });

function instructions({ content, metadata }: Message): Kept[] {
  const older = metadata?.user_context_message_data;
  const about = [content?.user_profile, older?.about_user_message];
  const wanted = [content?.user_instructions, older?.about_model_message];
  const each = (texts: readonly (string | null | undefined)[], subject: string): Kept[] =>
    texts.flatMap((text) => (text ? [{ text, subject, memory_type: "preference" as const }] : []));
  return [...each(about, "About the user"), ...each(wanted, "How the user wants to be answered")];
}
