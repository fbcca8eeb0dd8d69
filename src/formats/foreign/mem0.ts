import { z } from "zod";
import type { JsonValue } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import { JsonRecord } from "../../core/schema/common.ts";
import type { FormatReader, Place, ReadLine, Source, SourceFile } from "../reader.ts";
import { jsonFilesLike, jsonLine, jsonOf, needJsonFilesLike, shapeFault } from "./shared/files.ts";
import { entityLines, relationLines } from "./shared/graph.ts";
import { inOrder } from "./shared/in-order.ts";
import { memoryLines } from "./shared/memory.ts";
import { headOf } from "./shared/shape.ts";

const TOOL = "mem0";
const WHAT = "a file of mem0 or OpenMemory";

const text = z.string().nullish();
const Entry = z
  .object({
    id: z.string(),
    memory: text,
    /** What OpenMemory calls it. */
    content: text,
    user_id: text,
    agent_id: text,
    run_id: text,
    app: text,
    app_id: text,
    actor_id: text,
    project: text.catch(null),
    project_id: text.catch(null),
    categories: z.array(z.string()).nullish(),
    category_ids: z.array(z.string()).nullish(),
    metadata: JsonRecord.nullish(),
    state: text,
    created_at: text,
    updated_at: text,
    expiration_date: text,
  })
  .refine(({ memory, content }) => typeof (memory ?? content) === "string", { error: "It has no `memory`." });
type Entry = z.infer<typeof Entry>;

const Named = z.array(z.object({ id: z.string(), name: z.string() })).catch([]);
const Relation = z.object({ source: z.string(), relationship: z.string(), target: z.string() });

/** Where memories stand: in a list, in the reply of the service, in OpenMemory's backup, or a line each. */
const LISTS = ["", "[]", "results[]", "memories[]"];
const isMem0 = (paths: ReadonlySet<string>): boolean =>
  LISTS.some((list) => {
    const has = (key: string) => paths.has(list === "" ? key : `${list}.${key}`);
    return has("id") && ((has("memory") && !has("record")) || (has("content") && has("state")));
  }) ||
  (paths.has("results") && paths.has("relations") && !paths.has("results[].id"));

/** What `get_all` of mem0 gives back, and the backup of OpenMemory. */
export const mem0: FormatReader = {
  name: TOOL,
  title: "Memories of mem0 (get_all as JSON or JSON lines) and OpenMemory's backup",
  isExport: false,
  detects: async (source) => (await jsonFilesLike(source, isMem0)).length > 0,
  read: readMem0,
};

async function* readMem0(source: Source): AsyncIterable<ReadLine> {
  for (const file of await needJsonFilesLike(source, isMem0, WHAT)) {
    if (await isOneValue(file)) yield* inOrder(linesOfValue(file, await jsonOf(file)));
    else yield* readJsonLines(file);
  }
}

/** A list, or an object that holds one; else each line is a memory of its own. */
async function isOneValue(file: SourceFile): Promise<boolean> {
  const head = (await headOf(file)).trimStart();
  if (head.startsWith("[")) return true;
  const [first = ""] = head.split("\n", 1);
  const read = jsonLine(first);
  return "fault" in read || (isJsonObject(read.value) && listOf(read.value) !== null);
}

const listOf = (value: JsonValue): JsonValue[] | null => {
  if (Array.isArray(value)) return value;
  if (!isJsonObject(value)) return null;
  return [value.results, value.memories].find((list) => Array.isArray(list)) ?? null;
};

/** Names that a backup of OpenMemory gives once, by id. */
interface Names {
  readonly categories: ReadonlyMap<string, string>;
  readonly apps: ReadonlyMap<string, string>;
}
const NO_NAMES: Names = { categories: new Map(), apps: new Map() };

function linesOfValue(file: SourceFile, value: JsonValue): ReadLine[] {
  const place = (line: number): Place => ({ file: file.path, line });
  const entries = listOf(value) ?? (isJsonObject(value) ? [value] : []);
  const names = isJsonObject(value) ? { categories: namesOf(value.categories), apps: namesOf(value.apps) } : NO_NAMES;
  const relations = isJsonObject(value) && Array.isArray(value.relations) ? value.relations : [];
  return [
    ...entries.flatMap((entry, index) => entryLines(place(index + 1), entry, names)),
    ...relations.flatMap((relation, index) => edgeLines(place(index + 1), relation, file.changed_at)),
  ];
}

const namesOf = (list: JsonValue | undefined): ReadonlyMap<string, string> =>
  new Map(Named.parse(list).map(({ id, name }) => [id, name]));

/** Streams lines whose dates ascend; sorts others, which takes memory for all of them. */
async function* readJsonLines(file: SourceFile): AsyncIterable<ReadLine> {
  if (await ascends(file)) {
    yield* linesOf(file);
    return;
  }
  const lines: ReadLine[] = [];
  for await (const line of linesOf(file)) lines.push(line);
  yield* inOrder(lines);
}

async function ascends(file: SourceFile): Promise<boolean> {
  let before = "";
  for await (const line of linesOf(file)) {
    if (!("record" in line) || line.record.record !== "memory") continue;
    const at = line.record.created_at ?? before;
    if (at < before) return false;
    before = at;
  }
  return true;
}

async function* linesOf(file: SourceFile): AsyncIterable<ReadLine> {
  let line = 0;
  for await (const written of file.lines()) {
    line++;
    if (written.trim() === "") continue;
    const place = { file: file.path, line };
    const read = jsonLine(written);
    if ("fault" in read) yield { place, fault: read.fault };
    else yield* entryLines(place, read.value, NO_NAMES);
  }
}

function entryLines(place: Place, entry: JsonValue, names: Names): ReadLine[] {
  const { data, error } = Entry.safeParse(entry);
  if (error) return [{ place, fault: shapeFault(error) }];
  if (data.state === "deleted") return [];
  return memoryLines(place, {
    tool: TOOL,
    id: [data.id],
    text: data.memory ?? data.content ?? "",
    status: data.state === "archived" || data.state === "paused" ? "archived" : null,
    agent_id: authorOf(data, names),
    run_id: data.run_id,
    project: projectIn(data),
    scope: textIn(data.metadata, "scope") ?? textIn(data.metadata, "visibility"),
    created_at: data.created_at,
    expires_at: data.expiration_date,
    tags: [...(data.categories ?? []), ...(data.category_ids ?? []).map((id) => names.categories.get(id) ?? id)],
    metadata: data.metadata,
    imported: {
      id: data.id,
      user_id: data.user_id,
      agent_id: data.agent_id,
      actor_id: data.actor_id,
      app: data.app ?? names.apps.get(data.app_id ?? ""),
      state: data.state,
      updated_at: data.updated_at,
    },
  });
}

const authorOf = ({ agent_id, app, app_id, user_id }: Entry, { apps }: Names): string | null =>
  [agent_id, app, apps.get(app_id ?? ""), user_id].find((name) => name) ?? null;

/** Its own project, or the one that whoever stored it wrote into its metadata. */
const projectIn = ({ project, project_id, metadata }: Entry): string | null =>
  [project, project_id, textIn(metadata, "project"), textIn(metadata, "project_id")].find((name) => name) ?? null;

function textIn(metadata: Entry["metadata"], name: string): string | null {
  const value = metadata?.[name];
  return typeof value === "string" ? value : null;
}

/** What graph memory adds to the reply. */
function edgeLines(place: Place, relation: JsonValue, at: string): ReadLine[] {
  const { data, error } = Relation.safeParse(relation);
  if (error) return [{ place, fault: `relations: ${shapeFault(error)}` }];
  const { source: from, relationship: type, target: to } = data;
  return [
    ...[from, to].flatMap((name) => entityLines(place, { tool: TOOL, name, at })),
    ...relationLines(place, { tool: TOOL, from, type, to, at }),
  ];
}
