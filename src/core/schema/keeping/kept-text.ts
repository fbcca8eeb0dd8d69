import { z } from "zod";
import { instant, Uuid } from "../common.ts";
import { MemoryPath } from "../memory-query.ts";

/** What a memory said until an edit. */
const KeptText = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    content: z.string(),
    title: z.string().nullable().describe("Null also where it was inferred from the text."),
    replaced_at: instant(),
    replaced_by: z.string().nullable().describe("The agent that made the edit."),
  })
  .meta({ id: "KeptText", description: "What a memory said before an edit." });
export const KeptTexts = z.object({ items: z.array(KeptText) }).meta({ id: "KeptTexts" });
export type KeptTexts = z.infer<typeof KeptTexts>;

export const KeptTextPath = MemoryPath.extend({ text_id: Uuid });
