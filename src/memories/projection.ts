import type { Memory } from "../core/schema/memory.ts";
import type { MemoryField, MemoryView, ViewMembers } from "../core/schema/memory-view.ts";
import type { Usage } from "../core/schema/usage.ts";
import type { UsageCtx } from "./stats.ts";
import { usageOf } from "./stats.ts";

/** The fields to show of each memory; null for whole ones. */
export type Fields = readonly MemoryField[] | null;

const COMPACT = {
  listed: ["id", "content", "created_at"],
  found: ["id", "content", "created_at", "score", "why"],
} as const;

/** The fields that a request asks for: those it names, else those of its view; the first part that says something counts. */
export function chosenFields(kind: keyof typeof COMPACT, ...parts: readonly ViewMembers[]): Fields {
  const said = parts.find(({ view, fields }) => view != null || fields != null);
  return said?.fields ?? (said?.view === "compact" ? COMPACT[kind] : null);
}

/** Memories as a reply has them. */
export type Projected =
  | { readonly items: Memory[] }
  | {
      readonly items: MemoryView[];
      readonly usage: Usage;
    };

interface Choice {
  readonly tenant_id: string;
  readonly fields: Fields;
  /** Why each was found, by id. */
  readonly why?: ReadonlyMap<string, string>;
}

/** Whole memories each carry the usage of their tenant; where fields were chosen, it stands once beside them. */
export async function projected(
  ctx: UsageCtx,
  memories: readonly Memory[],
  { tenant_id, fields, why }: Choice,
): Promise<Projected> {
  const usage = await usageOf(ctx, tenant_id);
  if (fields === null) return { items: memories.map((memory) => ({ ...memory, usage })) };
  return { items: memories.map((memory) => only(fields, { ...memory, why: why?.get(memory.id) ?? null })), usage };
}

const only = (fields: readonly MemoryField[], memory: MemoryView): MemoryView =>
  Object.fromEntries(fields.map((field) => [field, memory[field]]));
