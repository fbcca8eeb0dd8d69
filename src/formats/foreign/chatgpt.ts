import { z } from "zod";
import type { JsonValue } from "../../core/kernel/json.ts";
import type { FormatReader, Place, ReadLine, Source, SourceFile } from "../reader.ts";
import { remembered } from "./chatgpt-memories.ts";
import { branchOf, Message, textOf } from "./chatgpt-tree.ts";
import { conversationLines } from "./shared/conversation.ts";
import { jsonFilesLike, jsonOf, noneOf, shapeFault } from "./shared/files.ts";
import { inOrder } from "./shared/in-order.ts";
import { memoryListLines, memoryListsOf } from "./shared/memory-list.ts";

const TOOL = "chatgpt";

/** What the ids of its projects begin with, of which the export has no names. */
const PROJECT = "g-p-";

const text = z.string().nullish();
const time = z.union([z.number(), z.string()]).nullish();
const Conversation = z
  .object({
    id: text,
    conversation_id: text,
    title: text,
    create_time: time,
    current_node: text,
    gizmo_id: text,
    mapping: z.record(z.string(), z.unknown()),
  })
  .refine(({ id, conversation_id }) => id || conversation_id, { error: "It has neither id nor conversation_id." });

const isConversations = (paths: ReadonlySet<string>): boolean =>
  ["[].", ""].some(
    (list) => paths.has(`${list}mapping`) && (paths.has(`${list}create_time`) || paths.has(`${list}current_node`)),
  );

/** The data export of ChatGPT. Large ones have their conversations in several numbered files. */
export const chatgpt: FormatReader = {
  name: TOOL,
  title: "ChatGPT's data export: your messages, and what it saved to its memory",
  isExport: false,
  detects: async (source) => (await jsonFilesLike(source, isConversations)).length > 0,
  read: readChatgpt,
};

async function* readChatgpt(source: Source): AsyncIterable<ReadLine> {
  const lines: ReadLine[] = [];
  const files = await jsonFilesLike(source, isConversations);
  for (const file of files) lines.push(...linesOf(file, await jsonOf(file)));
  const lists = await memoryListsOf(source.files);
  for (const file of lists) lines.push(...(await memoryListLines(TOOL, file)));
  if (files.length + lists.length === 0) throw await noneOf(source, "an export of ChatGPT");
  yield* withoutRepeats(inOrder(lines));
}

/** What it remembers stands in many conversations: the first time counts. */
function* withoutRepeats(lines: readonly ReadLine[]): Iterable<ReadLine> {
  const seen = new Set<string>();
  for (const line of lines) {
    const id = "record" in line && "id" in line.record ? line.record.id : null;
    if (id && seen.has(id)) continue;
    if (id) seen.add(id);
    yield line;
  }
}

const linesOf = (file: SourceFile, value: JsonValue): ReadLine[] =>
  (Array.isArray(value) ? value : [value]).flatMap((entry, index) =>
    chatLines({ file: file.path, line: index + 1 }, entry),
  );

function chatLines(place: Place, entry: JsonValue): ReadLine[] {
  const { data, error } = Conversation.safeParse(entry);
  if (error) return [{ place, fault: shapeFault(error) }];
  const id = data.conversation_id || data.id || "";
  const at = data.create_time;
  const faults: ReadLine[] = [];
  const messages: Message[] = [];
  for (const { node, message: written } of branchOf(data.mapping, data.current_node)) {
    const message = Message.safeParse(written);
    if (message.error) faults.push({ place, fault: `mapping.${node}: ${shapeFault(message.error)}` });
    else messages.push(message.data);
  }
  const turns = messages
    .filter(({ author, metadata }) => author.role === "user" && !metadata?.is_visually_hidden_from_conversation)
    .map((message) => ({ id: message.id, text: textOf(message), at: message.create_time }));
  const project = data.gizmo_id?.startsWith(PROJECT) ? data.gizmo_id : null;
  const chat = { tool: TOOL, id, name: data.title, project, at, turns, imported: { gizmo_id: data.gizmo_id } };
  return [
    ...faults,
    ...messages.flatMap((message) => remembered(place, { tool: TOOL, message, at, conversation: id })),
    ...conversationLines(place, chat),
  ];
}
