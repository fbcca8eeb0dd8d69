import { z } from "zod";

/** What a page may show of a tenant, by what it would read again. */
export const TOPICS = [
  "memories",
  "documents",
  "entities",
  "conflicts",
  "skills",
  "forge",
  "access",
  "settings",
  "jobs",
  "backups",
  "imports",
] as const;
export const Topic = z.enum(TOPICS).meta({
  id: "Topic",
  description:
    "What changed. `documents` has keystones and skills among it; `jobs` are deferred work, checks and rebuilds of indexes, and the change of the model.",
});
export type Topic = z.infer<typeof Topic>;

export const StreamOpened = z
  .object({
    server_started_at: z.string().describe("Another one than before: the server was started anew meanwhile."),
    release: z.string(),
  })
  .meta({ id: "StreamOpened", description: "The data of `event: hello`, the first of every stream." });
export type StreamOpened = z.infer<typeof StreamOpened>;

export const Changed = z
  .object({ topics: z.array(Topic), at: z.string() })
  .meta({ id: "Changed", description: "The data of `event: change`." });
export type Changed = z.infer<typeof Changed>;

/** The data of any event of the stream. */
export const ChangeEvent = z.union([StreamOpened, Changed]).meta({ id: "ChangeEvent" });
export type ChangeEvent = z.infer<typeof ChangeEvent>;
