import { AppError } from "../../core/kernel/errors.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { Expected } from "../../core/schema/common.ts";
import type { Memory } from "../../core/schema/memory.ts";
import { patchMemory } from "../patch.ts";
import type { MemoryAddress } from "../read.ts";
import { textsOf } from "./list.ts";

/** Names a text that a memory had. */
export interface TextAddress extends MemoryAddress {
  readonly text_id: string;
}

/**
 * Has a memory say again what it said before an edit, with the title that it had then where somebody had given it one. What it said in
 * between is kept in turn. Throws NOT_FOUND, and what a change throws.
 */
export async function bringTextBack(
  ctx: Ctx,
  { text_id, if_match, ...address }: TextAddress & Expected,
): Promise<Memory> {
  const text = (await textsOf(ctx, address)).find(({ id }) => id === text_id);
  if (!text) throw new AppError("NOT_FOUND", "No such text is kept of this memory.");
  const { tenant_id, memory_id, agent_id } = address;
  const body = { content: text.content, ...(text.title === null ? {} : { title: text.title }) };
  return patchMemory(ctx, { memory_id, query: { tenant_id, agent_id }, body, if_match });
}
