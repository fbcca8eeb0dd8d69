import { nameId } from "../../../core/kernel/ids.ts";
import type { JsonObject, JsonValue } from "../../../core/kernel/json.ts";
import { characterCount, preview } from "../../../core/kernel/text.ts";
import { NAME_MAX } from "../../../core/schema/common.ts";
import { CONTENT_MIN, type MemoryStatus, type MemoryType, TITLE_MAX } from "../../../core/schema/memory.ts";
import type { Place, ReadLine } from "../../reader.ts";
import { contentsOf } from "./contents.ts";
import type { Written } from "./times.ts";
import { firstDate } from "./times.ts";

export const TAG_MAX = 100;
const TAGS_MAX = 100;
/** A longer subject would be most of the content. */
const SUBJECT_MAX = 200;

/** A statement as another tool has it. */
export interface ForeignMemory {
  /** The reader's name. */
  readonly tool: string;
  /** What names it in that tool: the ids of the memories follow from it. */
  readonly id: readonly string[];
  readonly text: string;
  /** What it is about, where the text alone does not say so. */
  readonly subject?: string | null | undefined;
  readonly title?: string | null | undefined;
  readonly memory_type?: MemoryType | null | undefined;
  readonly status?: Exclude<MemoryStatus, "deleted"> | null | undefined;
  readonly agent_id?: string | null | undefined;
  readonly run_id?: string | null | undefined;
  /** The tool's own project that it belongs to, as the tool names it: a name, or the path of its folder. */
  readonly project?: string | null | undefined;
  /** Who sees it, as the tool says it. */
  readonly scope?: string | null | undefined;
  /** As that tool wrote it; of several the first that can be read. */
  readonly created_at?: Written | readonly Written[];
  readonly expires_at?: Written;
  readonly tags?: readonly string[];
  readonly metadata?: JsonObject | null | undefined;
  /** What else that tool says of it; what is null or empty is left out. */
  readonly imported?: Readonly<Record<string, JsonValue | undefined>>;
}

export const isTooShort = (text: string): boolean => characterCount(text.trim()) < CONTENT_MIN;

/** The records of a statement, several where it is too long for one; or why it is none. */
export function memoryLines(place: Place, memory: ForeignMemory): ReadLine[] {
  const { tool, id } = memory;
  const text = storable(memory.text).trim();
  if (text === "") return [{ place, fault: "It has no text." }];
  const contents = contentsOf(text, subjectOf(memory));
  if (isTooShort(contents[0] ?? ""))
    return [{ place, fault: `Its text has ${characterCount(text)} characters; a memory has at least ${CONTENT_MIN}.` }];
  const [created, expires] = [firstDate("created_at", memory.created_at), firstDate("expires_at", memory.expires_at)];
  const remarks = [...created.remarks, ...expires.remarks];
  return contents.map((content, index) => {
    const part = contents.length > 1 ? { part: index + 1, parts: contents.length } : {};
    return {
      place,
      record: {
        record: "memory",
        id: memoryId(tool, id, index + 1),
        content,
        title: cut(memory.title, TITLE_MAX),
        memory_type: memory.memory_type,
        status: memory.status,
        agent_id: cut(memory.agent_id, NAME_MAX),
        run_id: cut(memory.run_id, NAME_MAX),
        ...projectOf(memory.project),
        ...(isPersonal(memory.scope) ? { visibility: "scope_agent" } : {}),
        created_at: created.at,
        expires_at: expires.at,
        ...tagsOf(memory.tags ?? []),
        metadata: { ...memory.metadata, imported_from: { format: tool, ...told(memory.imported ?? {}), ...part } },
      },
      ...(remarks.length > 0 && index === 0 ? { remarks } : {}),
    };
  });
}

/** The id of a part, counted from 1, of what another tool has under that name. */
export const memoryId = (tool: string, id: readonly string[], part = 1): string => nameId([tool, ...id, String(part)]);

const subjectOf = ({ subject }: ForeignMemory): string | null =>
  subject ? preview(storable(subject).trim(), SUBJECT_MAX) : null;

/** The member of a record that says its project; of a long path the end tells more than the beginning. */
export function projectOf(named: string | null | undefined): { fleet_id?: string } {
  const name = storable(named ?? "").trim();
  return name === "" ? {} : { fleet_id: name.slice(-NAME_MAX).toWellFormed().trim() };
}

const isPersonal = (scope: string | null | undefined): boolean => /^(?:personal|private|user)$/i.test(scope ?? "");

/** What Cairn stores and gives back unchanged: no NUL character, no half of a surrogate pair. */
export const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed();

function cut(text: string | null | undefined, max: number): string | null {
  const trimmed = storable(text ?? "").trim();
  return trimmed === "" ? null : preview(trimmed, max);
}

function tagsOf(tags: readonly string[]): { tags?: string[] } {
  const kept = [...new Set(tags.map((tag) => cut(tag, TAG_MAX)).filter((tag) => tag !== null))].slice(0, TAGS_MAX);
  return kept.length > 0 ? { tags: kept } : {};
}

/** The members that say something. */
export function told(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined && value !== null && value !== "") kept[name] = value;
  }
  return kept;
}
