import { z } from "zod";
import { nearestWord } from "../kernel/text.ts";
import { Memory } from "./memory.ts";

export const VIEWS = ["full", "compact"] as const;

/** What a reply may show of each memory; `usage` is there once beside them. */
export const MemoryView = Memory.omit({ usage: true })
  .extend({ why: z.string().nullable().describe("In words: why it stands where it stands; null in a list.") })
  .partial()
  .meta({ id: "MemoryView", description: "The fields of a memory that were asked for." });
export type MemoryView = z.infer<typeof MemoryView>;
export type MemoryField = keyof MemoryView;

const MEMORY_FIELDS = MemoryView.keyof().options;

const MemoryFieldName = z
  .enum(MEMORY_FIELDS, {
    error: ({ input }) => {
      const near = typeof input === "string" ? nearestWord(input, MEMORY_FIELDS) : null;
      return `A memory has no field ${JSON.stringify(input)}.${near === null ? "" : ` Did you mean '${near}'?`}`;
    },
  })
  .meta({ id: "MemoryField" });

/** One more name than there may be is too many: of what comes after it nothing is read. */
const NAMES_READ = MEMORY_FIELDS.length + 1;

/** Names in a list, or with commas between them. */
const namesOf = (value: unknown): unknown =>
  [value]
    .flat()
    .slice(0, NAMES_READ)
    .flatMap((part) => (typeof part === "string" ? part.split(",", NAMES_READ).map((name) => name.trim()) : [part]));

const Fields = z
  .preprocess(namesOf, z.array(MemoryFieldName).min(1).max(MEMORY_FIELDS.length))
  .describe("Only these fields of each memory, whatever the view. In a query also as `fields=id,content`.");
const View = z
  .enum(VIEWS)
  .describe("compact: of each memory `id`, `content`, `created_at` and, of what was found, `score` and `why`.");

/** How much of each memory a reply shows. */
export const ViewQuery = z.object({ view: View.optional(), fields: Fields.optional() });
export const ViewMembers = z.object({ view: View.nullish(), fields: Fields.nullish() });
export type ViewMembers = z.infer<typeof ViewMembers>;
