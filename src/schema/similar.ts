import { z } from "zod";
import { MemoryStatus } from "./memory.ts";

export const SimilarReply = z
  .object({
    memory_id: z.string().meta({ format: "uuid" }),
    searchable: z
      .boolean()
      .describe("Whether the memory has the vector that it is compared by; nothing is found without."),
    items: z.array(
      z.object({
        id: z.string().meta({ format: "uuid" }),
        content_preview: z.string(),
        status: MemoryStatus,
        created_at: z.string().meta({ format: "date-time" }),
        similarity: z.number(),
      }),
    ),
  })
  .meta({ id: "SimilarMemories" });
export type SimilarReply = z.infer<typeof SimilarReply>;
