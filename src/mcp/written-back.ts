import { z } from "zod";
import { asStored } from "../core/kernel/quoting/quote.ts";
import type { ToolCall } from "./tool.ts";
import { ToolError } from "./tool-error.ts";

const Stored = z.object({ data: z.unknown() });

/**
 * What a model writes into a document that it may have read before, with what it gives back as it was shown as it is stored. Throws
 * ToolError.
 */
export async function writtenBack(
  ask: ToolCall["ask"],
  { collection, doc_id, data }: { readonly collection: string; readonly doc_id: string; readonly data: unknown },
): Promise<unknown> {
  try {
    return asStored(data, Stored.parse(await ask("getDocument", { params: { doc_id }, query: { collection } })).data);
  } catch (error) {
    // What cannot be read was not shown either; whether it may be written is told by the write.
    if (error instanceof ToolError) return data;
    throw error;
  }
}
