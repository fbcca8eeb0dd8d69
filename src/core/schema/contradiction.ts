import { z } from "zod";
import { DEMOTION_REASONS, MemoryStatus } from "./memory.ts";

const LinkedMemory = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    content_preview: z.string(),
    status: MemoryStatus,
    created_at: z.string().meta({ format: "date-time" }),
  })
  .meta({ id: "LinkedMemory" });
export type LinkedMemory = z.infer<typeof LinkedMemory>;

export const ClashingSpan = z
  .object({ start: z.int(), end: z.int(), text: z.string() })
  .meta({ id: "ClashingSpan", description: "Part of a content, by UTF-16 units." });

export const Contradiction = z
  .object({
    memory_id: z.string().meta({ format: "uuid" }),
    status: MemoryStatus.describe("The other memory's present status."),
    reason: z.enum(Object.values(DEMOTION_REASONS)),
    content_preview: z.string(),
    direction: z.enum(["supersedes", "superseded_by"]).describe("supersedes: the other memory is the older one."),
    created_at: z.string().meta({ format: "date-time" }),
    rule: z.string().describe("Name of the rule that decided."),
    confidence: z.number(),
    why: z
      .string()
      .nullable()
      .describe(
        "In words: what spoke for it and against, strongest first, each with what it counts; null where another rule decided.",
      ),
    spans: z.object({ own: ClashingSpan, other: ClashingSpan }).describe("What clashes, in this memory and the other."),
  })
  .meta({ id: "Contradiction" });
export type Contradiction = z.infer<typeof Contradiction>;

/** What may contradict a memory: nothing follows from it until somebody decides. */
export const PossibleConflict = Contradiction.omit({ reason: true })
  .extend({
    rule: z.string().describe("Name of the rule that decided; `part`: only a part of the older memory has changed."),
  })
  .meta({ id: "PossibleConflict" });
export type PossibleConflict = z.infer<typeof PossibleConflict>;

export const ContradictionsReply = z
  .object({
    memory_id: z.string().meta({ format: "uuid" }),
    status: MemoryStatus,
    superseded_by: LinkedMemory.nullable().describe("The older memory that this one supersedes (a historical name)."),
    superseded_memories: z.array(LinkedMemory).describe("Newer memories that supersede this one."),
    detection_status: z
      .enum(["completed", "pending"])
      .describe("completed: there is evidence of a contradiction. pending: nothing found, or not looked yet."),
    contradictions: z.array(Contradiction),
    possible_conflicts: z
      .array(PossibleConflict)
      .describe("What may have changed: neither status nor link follows from it, and somebody may decide."),
    checked_at: z
      .string()
      .meta({ format: "date-time" })
      .nullable()
      .describe("When the detector looked at this version of the memory; null until it has."),
  })
  .meta({ id: "Contradictions" });
export type ContradictionsReply = z.infer<typeof ContradictionsReply>;
