import { z } from "zod";

/** Where wording rows anew goes on: the last number of a table that is done. */
const RewordPlace = z.object({ table: z.enum(["memories", "documents"]), after: z.int().nullable() });
export type RewordPlace = z.infer<typeof RewordPlace>;

/**
 * Where reading rows anew goes on: below a number of a table, from its end for null. What was compared meanwhile, by the checks of
 * memories, comes last.
 */
const RereadPlace = z.object({ table: z.enum(["documents", "memories", "memory_checks"]), number: z.int().nullable() });
export type RereadPlace = z.infer<typeof RereadPlace>;

/** Every kind of deferred work with its payload. A handler must survive being run twice. */
export const Job = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("embed_memories"),
    payload: z.object({ tenant_id: z.string(), memory_ids: z.array(z.string()) }),
  }),
  z.object({
    kind: z.literal("embed_documents"),
    payload: z.object({ tenant_id: z.string(), ids: z.array(z.string()) }),
  }),
  z.object({
    kind: z.literal("understand_memories"),
    payload: z.object({ tenant_id: z.string(), memory_ids: z.array(z.string()) }),
  }),
  z.object({
    kind: z.literal("compare_stated"),
    payload: z.object({ tenant_id: z.string(), memory_ids: z.array(z.string()) }),
  }),
  z.object({
    kind: z.literal("promote_skills"),
    payload: z.object({ tenant_id: z.string(), offset: z.int().min(0) }),
  }),
  z.object({ kind: z.literal("review_skills"), payload: z.object({ tenant_id: z.string() }) }),
  z.object({ kind: z.literal("skills_schedule"), payload: z.object({}) }),
  z.object({ kind: z.literal("memories_schedule"), payload: z.object({}) }),
  z.object({ kind: z.literal("retention_schedule"), payload: z.object({}) }),
  z.object({ kind: z.literal("wipe_traces"), payload: z.object({}) }),
  z.object({ kind: z.literal("reword_rows"), payload: z.object({ from: RewordPlace.optional() }) }),
  z.object({
    kind: z.literal("reread_rows"),
    payload: z.object({
      tenant_id: z.string(),
      // The model that the place is of; those queued before it was told do not have it.
      embedder_id: z.string().optional(),
      // Since when rows are read anew, as a timestamp.
      since: z.string(),
      below: RereadPlace,
      // Memories were read by it: what was compared meanwhile is to be compared again.
      has_read: z.boolean().optional(),
    }),
  }),
  z.object({
    kind: z.literal("rejudge_memories"),
    // Findings come first, after the number of the last one that is done, then memories, below a number, from the newest for null.
    payload: z.object({
      tenant_id: z.string(),
      from: z.object({ table: z.enum(["findings", "memories"]), number: z.int().nullable() }),
    }),
  }),
  z.object({ kind: z.literal("forge_tick"), payload: z.object({ tenant_id: z.string(), run: z.string() }) }),
  z.object({ kind: z.literal("forge_schedule"), payload: z.object({}) }),
]);
export type Job = z.infer<typeof Job>;
export type JobKind = Job["kind"];

/** Kinds without an end: one row each, which its handler moves to the next time it is due. */
export const RECURRING_KINDS = [
  "skills_schedule",
  "forge_schedule",
  "memories_schedule",
  "retention_schedule",
] as const satisfies JobKind[];
export type RecurringKind = (typeof RECURRING_KINDS)[number];
