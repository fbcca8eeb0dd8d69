import { z } from "zod";
import type { JsonValue } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import type { MemoryType } from "../../core/schema/memory.ts";
import type { FormatReader, Place, ReadLine, Source, SourceFile } from "../reader.ts";
import { jsonFilesLike, jsonOf, needJsonFilesLike, shapeFault } from "./shared/files.ts";
import { inOrder } from "./shared/in-order.ts";
import { isTooShort, memoryLines } from "./shared/memory.ts";
import { timestampOf } from "./shared/times.ts";

const TOOL = "engram";

const text = z.string().nullish();
const Id = z.union([z.string(), z.number()]).transform(String);
const Observation = z.object({
  id: Id.nullish(),
  sync_id: text,
  session_id: text,
  type: text,
  title: text,
  content: z.string(),
  project: text,
  scope: text,
  topic_key: text,
  revision_count: z.number().nullish(),
  created_at: text,
  updated_at: text,
  deleted_at: text,
});
type Observation = z.infer<typeof Observation>;
const Session = z.object({ id: Id, project: text, directory: text, started_at: text, ended_at: text, summary: text });
const Prompt = z.object({
  id: Id.nullish(),
  sync_id: text,
  session_id: text,
  content: z.string(),
  project: text,
  created_at: text,
  deleted_at: text,
});

const Deletion = z.object({ entity: z.literal("observation"), entity_key: z.string(), op: z.literal("delete") });
const NO_ID = "It has neither id nor sync_id.";

/** Its types that mean the same here; of others Cairn infers the type. */
const TYPES: Readonly<Record<string, MemoryType>> = {
  decision: "decision",
  architecture: "decision",
  preference: "preference",
  session_summary: "episode",
  bugfix: "fact",
  discovery: "fact",
  learning: "fact",
  config: "fact",
  pattern: "fact",
};

const isExport = (paths: ReadonlySet<string>): boolean =>
  paths.has("sessions") &&
  (paths.has("observations") || paths.has("exported_at") || paths.has("sessions[].started_at")) &&
  !paths.has("agents");

/** What `engram export` writes, and its sync chunks. */
export const engram: FormatReader = {
  name: TOOL,
  title: "`engram export` of Gentleman-Programming/engram, and its sync chunks",
  isExport: false,
  detects: async (source) => (await jsonFilesLike(source, isExport)).length > 0,
  read: readEngram,
};

async function* readEngram(source: Source): AsyncIterable<ReadLine> {
  const files = await needJsonFilesLike(source, isExport, "an export of engram");
  const read: Read = { lines: [], observations: new Map(), deleted: new Set() };
  for (const file of files) readInto(read, file, await jsonOf(file));
  for (const [id, { place, data }] of read.observations) {
    if (!data.deleted_at && !read.deleted.has(id)) read.lines.push(...observationLines(place, id, data));
  }
  yield* inOrder(read.lines);
}

interface Read {
  readonly lines: ReadLine[];
  /** Chunks hold a changed observation once more: the newest counts. */
  readonly observations: Map<string, { readonly place: Place; readonly data: Observation }>;
  readonly deleted: Set<string>;
}

function readInto(read: Read, file: SourceFile, value: JsonValue): void {
  if (!isJsonObject(value)) return;
  const each = (list: string, one: (place: Place, entry: JsonValue) => ReadLine[]): void => {
    for (const [index, entry] of arrayOf(value[list]).entries()) {
      const lines = one({ file: file.path, line: index + 1 }, entry);
      read.lines.push(...lines.map((line) => named(list, line)));
    }
  };
  each("sessions", sessionLines);
  each("observations", (place, entry) => keepNewest(read, place, entry));
  each("prompts", promptLines);
  for (const mutation of arrayOf(value.mutations)) {
    const { data } = Deletion.safeParse(mutation);
    if (data) read.deleted.add(data.entity_key);
  }
}

const arrayOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);

/** Numbers of entries begin anew in each list: a fault says in which. */
const named = (list: string, line: ReadLine): ReadLine =>
  "fault" in line ? { ...line, fault: `${list}: ${line.fault}` } : line;

function keepNewest({ observations }: Read, place: Place, entry: JsonValue): ReadLine[] {
  const { data, error } = Observation.safeParse(entry);
  if (error) return [{ place, fault: shapeFault(error) }];
  const id = data.sync_id || data.id;
  if (!id) return [{ place, fault: NO_ID }];
  const before = observations.get(id)?.data;
  if (!before || changedAt(data) >= changedAt(before)) observations.set(id, { place, data });
  return [];
}

const changedAt = ({ updated_at, created_at }: Observation): string => timestampOf(updated_at ?? created_at) ?? "";

const observationLines = (place: Place, id: string, data: Observation): ReadLine[] =>
  memoryLines(place, {
    tool: TOOL,
    id: ["observation", id],
    text: data.content,
    subject: data.title,
    title: data.title,
    memory_type: TYPES[data.type ?? ""],
    run_id: data.session_id,
    project: data.project,
    scope: data.scope,
    created_at: data.created_at,
    tags: [data.type, data.project].filter((tag) => typeof tag === "string"),
    imported: {
      id,
      type: data.type,
      project: data.project,
      scope: data.scope,
      topic_key: data.topic_key,
      revision_count: data.revision_count,
      updated_at: data.updated_at,
    },
  }).map((line) => named("observations", line));

/** A session is a memory where its summary says something. */
function sessionLines(place: Place, entry: JsonValue): ReadLine[] {
  const { data, error } = Session.safeParse(entry);
  if (error) return [{ place, fault: shapeFault(error) }];
  if (!data.summary || isTooShort(data.summary)) return [];
  return memoryLines(place, {
    tool: TOOL,
    id: ["session", data.id],
    text: data.summary,
    memory_type: "episode",
    run_id: data.id,
    project: data.project,
    created_at: [data.ended_at, data.started_at],
    tags: data.project ? [data.project] : [],
    imported: { id: data.id, project: data.project, directory: data.directory, started_at: data.started_at },
  });
}

/** Prompts too short to be a memory ("go on") are left out. */
function promptLines(place: Place, entry: JsonValue): ReadLine[] {
  const { data, error } = Prompt.safeParse(entry);
  if (error) return [{ place, fault: shapeFault(error) }];
  const id = data.sync_id || data.id;
  if (!id) return [{ place, fault: NO_ID }];
  if (data.deleted_at || isTooShort(data.content)) return [];
  return memoryLines(place, {
    tool: TOOL,
    id: ["prompt", id],
    text: data.content,
    memory_type: "episode",
    run_id: data.session_id,
    project: data.project,
    created_at: data.created_at,
    tags: data.project ? [data.project] : [],
    metadata: { role: "user" },
    imported: { id, project: data.project },
  });
}
