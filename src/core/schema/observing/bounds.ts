import { z } from "zod";

const Rate = z.number().describe("Calls a second of one caller; 0 for no limit.");

export const Bounds = z
  .object({
    rates: z.object({ write: Rate, bulk: Rate, search: Rate, read: Rate }),
    memories: z.object({
      limit: z.int().describe("Memories that the tenant may hold."),
      used: z.int().describe("Those that it holds."),
    }),
    documents: z.object({
      limit: z.int().describe("Documents that the tenant may hold, keystones and skills among them."),
      used: z.int().describe("Those of them that the caller may see."),
    }),
    sizes: z.object({
      body_bytes: z.int(),
      body_values: z.int().describe("JSON values of one body."),
      body_depth: z.int().describe("Levels of its JSON."),
      document_bytes: z.int(),
      metadata_bytes: z.int(),
      members: z.int().describe("Members at the top of metadata or of a document's data."),
      where_values: z.int().describe("JSON values of the `where` of a query."),
      reply_bytes: z.int().describe("Bytes of rows in one reply: a page ends before it."),
    }),
    streams: z.object({
      caller: z.int().describe("Streams of events that one credential, or one address, may have open."),
      server: z.int(),
    }),
    server: z
      .object({
        requests: z.int().describe("Requests in hand at a time, of all callers."),
        connections: z.int().describe("Open connections, of all callers."),
      })
      .nullable()
      .describe("Null for who does not own the machine."),
  })
  .meta({ id: "Bounds" });
export type Bounds = z.infer<typeof Bounds>;
