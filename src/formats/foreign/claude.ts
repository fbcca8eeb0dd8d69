import { z } from "zod";
import type { JsonValue } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import type { FormatReader, Place, ReadLine, Source, SourceFile } from "../reader.ts";
import { projectLines, projectNames } from "./claude-projects.ts";
import { conversationLines } from "./shared/conversation.ts";
import { jsonFilesLike, jsonOf, noneOf, shapeFault } from "./shared/files.ts";
import { inOrder } from "./shared/in-order.ts";
import { isTooShort, memoryLines } from "./shared/memory.ts";
import { memoryListLines, memoryListsOf } from "./shared/memory-list.ts";
import { paragraphsOf } from "./shared/paragraphs.ts";

const TOOL = "claude";

const text = z.string().nullish();
const Conversation = z.object({
  uuid: z.string(),
  name: text,
  created_at: text,
  updated_at: text,
  chat_messages: z.array(z.unknown()),
});
const Block = z.object({ type: text, text });
const Message = z.object({
  uuid: z.string(),
  sender: z.string(),
  text,
  content: z.array(z.unknown()).nullish(),
  created_at: text,
});
type Message = z.infer<typeof Message>;
const Memories = z.object({
  conversations_memory: text,
  project_memories: z.record(z.string(), z.string().nullable()).nullish(),
});

const isConversations = (paths: ReadonlySet<string>): boolean =>
  paths.has("[].chat_messages") || paths.has("chat_messages");
const isMemories = (paths: ReadonlySet<string>): boolean =>
  ["", "[]."].some((list) => paths.has(`${list}conversations_memory`) || paths.has(`${list}project_memories`));
const isProjects = (paths: ReadonlySet<string>): boolean =>
  ["", "[]."].some(
    (list) => paths.has(`${list}prompt_template`) || (paths.has(`${list}docs`) && paths.has(`${list}is_private`)),
  );
const isExport = (paths: ReadonlySet<string>): boolean =>
  isConversations(paths) || isMemories(paths) || isProjects(paths);

/** The data export of claude.ai, or the list of memories that Claude gives when asked for it. */
export const claude: FormatReader = {
  name: TOOL,
  title: "claude.ai's data export (your messages, memory, projects), or its list of memories as text",
  isExport: false,
  detects: async (source) =>
    (await jsonFilesLike(source, isExport)).length > 0 || (await memoryListsOf(source.files)).length > 0,
  read: readClaude,
};

async function* readClaude(source: Source): AsyncIterable<ReadLine> {
  const lines: ReadLine[] = [];
  const files = await jsonFilesLike(source, isExport);
  const names = await namesOfProjects(source);
  for (const file of files) lines.push(...linesOf(file, await jsonOf(file), names));
  const lists = await memoryListsOf(source.files);
  for (const file of lists) lines.push(...(await memoryListLines(TOOL, file)));
  if (files.length + lists.length === 0) throw await noneOf(source, "an export of claude.ai");
  yield* inOrder(lines);
}

/** Names of projects by their ids, which are all that the memory of a project is known by. */
type Names = ReadonlyMap<string, string>;

async function namesOfProjects(source: Source): Promise<Names> {
  const names = new Map<string, string>();
  for (const file of await jsonFilesLike(source, isProjects))
    for (const [id, name] of projectNames(entriesOf(await jsonOf(file)))) names.set(id, name);
  return names;
}

/** Files hold a list, or one thing each. */
const entriesOf = (value: JsonValue): JsonValue[] => (Array.isArray(value) ? value : [value]);

const linesOf = (file: SourceFile, value: JsonValue, names: Names): ReadLine[] =>
  entriesOf(value).flatMap((entry, index) =>
    entryLines({ file: file.path, line: index + 1 }, entry, { at: file.changed_at, names }),
  );

interface Known {
  readonly at: string;
  readonly names: Names;
}

function entryLines(place: Place, entry: JsonValue, known: Known): ReadLine[] {
  if (!isJsonObject(entry)) return [{ place, fault: "It is no object." }];
  const paths = new Set(Object.keys(entry));
  if (isMemories(paths)) return memoriesLines(place, entry, known);
  return isProjects(paths) ? projectLines(TOOL, place, entry) : chatLines(place, entry);
}

function chatLines(place: Place, entry: JsonValue): ReadLine[] {
  const { data, error } = Conversation.safeParse(entry);
  if (error) return [{ place, fault: shapeFault(error) }];
  const faults: ReadLine[] = [];
  const messages: Message[] = [];
  for (const [index, written] of data.chat_messages.entries()) {
    const message = Message.safeParse(written);
    if (message.error) faults.push({ place, fault: `chat_messages.${index}: ${shapeFault(message.error)}` });
    else if (message.data.sender === "human") messages.push(message.data);
  }
  const turns = messages.map((message) => ({
    id: message.uuid,
    text: textOf(message),
    at: message.created_at,
  }));
  const { uuid: id, name } = data;
  return [...faults, ...conversationLines(place, { tool: TOOL, id, name, at: data.created_at, turns })];
}

/** The blocks of text; older exports have the text alone. */
function textOf({ content, text: whole }: Message): string {
  const blocks = (content ?? []).map((block) => Block.safeParse(block).data);
  const texts = blocks.filter((block) => block?.type === "text").map((block) => block?.text ?? "");
  return texts.join("\n").trim() || (whole ?? "");
}

/** What Claude knows of the person and of each project, a paragraph a memory. */
function memoriesLines(place: Place, entry: JsonValue, { at, names }: Known): ReadLine[] {
  const { data, error } = Memories.safeParse(entry);
  if (error) return [{ place, fault: shapeFault(error) }];
  const all = [{ project: null, known: data.conversations_memory }, ...projectMemories(data)];
  return all.flatMap(({ project, known }) =>
    paragraphsOf(known ?? "")
      .filter(({ text: paragraph }) => !isTooShort(paragraph))
      .flatMap(({ heading, text: paragraph }) =>
        memoryLines(place, {
          tool: TOOL,
          id: ["memory", project ?? "", paragraph],
          text: paragraph,
          subject: heading,
          run_id: project,
          project: project && (names.get(project) ?? project),
          created_at: at,
          imported: { project, heading },
        }),
      ),
  );
}

const projectMemories = ({ project_memories }: z.infer<typeof Memories>) =>
  Object.entries(project_memories ?? {}).map(([project, known]) => ({ project, known }));
