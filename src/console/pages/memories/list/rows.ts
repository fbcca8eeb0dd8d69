import type { Memory, MemoryField, MemoryView } from "../../../api/schemas.gen.ts";
import { cutTo } from "../../../kit/text.tsx";

/** What the list keeps of a memory. */
export type Row = Pick<
  Memory,
  | "id"
  | "content"
  | "memory_type"
  | "status"
  | "agent_id"
  | "fleet_id"
  | "created_at"
  | "weight"
  | "visibility"
  | "recall_count"
>;

export const ROW_FIELDS: MemoryField[] = [
  "id",
  "content",
  "memory_type",
  "status",
  "agent_id",
  "fleet_id",
  "created_at",
  "weight",
  "visibility",
  "recall_count",
];

/** Of each content so much is kept; a hundred thousand whole ones would fill the tab. */
const CONTENT_KEPT = 300;

/** The row of a memory as a list or a read by id gives it; null for one that lacks what was asked for. */
export function toRow(memory: MemoryView): Row | null {
  const { id, content, memory_type, status, agent_id, created_at, visibility } = memory;
  if (!id || content === undefined || !memory_type || !status || !agent_id || !created_at || !visibility) return null;
  return {
    id,
    content: cut(content),
    memory_type,
    status,
    agent_id: shared(agent_id),
    fleet_id: memory.fleet_id ? shared(memory.fleet_id) : null,
    created_at,
    weight: memory.weight ?? 0,
    visibility,
    recall_count: memory.recall_count ?? 0,
  };
}

/** Cut between characters. Written anew: a slice would keep the whole text that it is a part of. */
function cut(content: string): string {
  if (content.length <= CONTENT_KEPT) return content;
  const copy: unknown = JSON.parse(JSON.stringify(cutTo(content, CONTENT_KEPT)));
  return String(copy);
}

const names = new Map<string, string>();

/** One text for the same name in all rows. */
function shared(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  names.set(name, name);
  return name;
}
