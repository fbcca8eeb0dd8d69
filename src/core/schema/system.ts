import { z } from "zod";
import { CHALLENGE_PATTERN } from "../kernel/server-proof.ts";
import { AUTH_SOURCES } from "./access.ts";

export const Version = z.object({ version: z.string(), release: z.string() }).meta({ id: "Version" });
export type Version = z.infer<typeof Version>;

export const Whoami = z
  .object({
    tenant_id: z.string().nullable(),
    agent_id: z.string().nullable(),
    auth_source: z.enum(AUTH_SOURCES),
    via_gateway: z.boolean(),
  })
  .meta({ id: "Whoami" });
export type Whoami = z.infer<typeof Whoami>;

export const ServerProofQuery = z.object({
  challenge: z.string().regex(CHALLENGE_PATTERN).describe("32 random bytes in base64url, used once"),
});
export type ServerProofQuery = z.infer<typeof ServerProofQuery>;

export const ServerProof = z
  .object({
    proof: z.string().describe("HMAC-SHA256 of the challenge under the token of the data folder's server.json, hex"),
  })
  .meta({ id: "ServerProof" });
export type ServerProof = z.infer<typeof ServerProof>;

export const Health = z
  .object({
    status: z.enum(["ok", "degraded", "unhealthy"]),
    storage: z.enum(["connected", "read_only", "unreachable"]),
    redis: z.enum(["connected", "unavailable", "not configured"]),
    event_bus: z.enum(["ok", "unhealthy"]),
    platform_init_errors: z.array(z.string()),
    unhealthy_dependencies: z.array(z.string()),
  })
  .meta({ id: "Health" });
export type Health = z.infer<typeof Health>;

const Provider = z.object({ provider: z.string().nullable(), model: z.string().nullable(), configured: z.boolean() });

/** Null until some such work was done since the start. */
const PerSecond = z.number().nullable();

const JobsLeft = z
  .object({
    pending: z.int().describe("Jobs that are not finished: due, running or scheduled."),
    due: z.int(),
    running: z.int(),
    scheduled: z.int().describe("Failed, and tried again after a pause."),
    failing: z.int().describe("Failed at least once."),
    embedding_pending: z.int().describe("Memories that wait for their vectors: found by keyword only until then."),
    understanding_pending: z
      .int()
      .describe("Memories that wait to be read for what they say: for the entities they name, and for contradictions."),
    embedded_per_second: PerSecond.describe("Memories that get their vectors in a second of that work."),
    understood_per_second: PerSecond.describe("Memories that are read in a second of that work."),
    seconds_left: z
      .int()
      .nullable()
      .describe("About how long until no memory waits, at that pace; null while the pace is not known."),
  })
  .describe("What is left to do, of all tenants for the owner of the machine; null for who is no administrator.");

const SearchIndex = z
  .object({
    state: z
      .enum(["loading", "ready", "off"])
      .describe("Searches are slower while it is not ready; why it is off, the log says."),
    rows: z.int().nullable().describe("Of all tenants; null for who does not own the machine, as are the bytes."),
    bytes: z.int().nullable(),
    ready_ms: z
      .int()
      .nullable()
      .describe("How long it took to read all rows, in milliseconds; null until that is done."),
  })
  .describe("The index in memory that finds memories by their vectors.");

const OwnersBytes = z.int().nullable();

export const Status = z
  .object({
    version: z.string(),
    release: z.string(),
    mode: z.enum(["standalone", "multi-tenant"]),
    health: z.enum(["ok", "degraded", "unhealthy"]),
    dependencies: z.object({ storage: z.string(), redis: z.string(), event_bus: z.string() }),
    storage: z.object({
      engine: z.string(),
      ephemeral: z.boolean(),
      data_bytes: OwnersBytes.describe("Of the data file; null in memory, and for who does not own the machine."),
      log_bytes: OwnersBytes.describe("Of the log of writes beside it, likewise."),
      free_bytes: OwnersBytes.describe("What is left on its disk, likewise."),
    }),
    embedding: Provider.extend({ phase: z.enum(["loading", "ready", "failed"]), dimensions: z.int() }),
    judge: Provider.extend({ phase: z.enum(["waiting", "ready", "failed"]).nullable() }),
    llm: Provider,
    search_threads: z.int().describe("Threads that search beside the one that serves."),
    search_index: SearchIndex,
    jobs: JobsLeft.nullable(),
    uptime_seconds: z.number(),
    platform_init_errors: z.array(z.string()),
  })
  .meta({ id: "Status" });
export type Status = z.infer<typeof Status>;

export const Counters = z
  .object({ tenant_count: z.int(), memory_count: z.int(), agent_count: z.int() })
  .catchall(z.int())
  .meta({ id: "Counters" });
export type Counters = z.infer<typeof Counters>;

export const ToolDescriptionsQuery = z.object({ enriched: z.boolean().default(false) });
export const ToolDescriptions = z
  .record(z.string(), z.union([z.string(), z.object({ description: z.string(), stm_only: z.boolean() })]))
  .meta({ id: "ToolDescriptions" });
export type ToolDescriptions = z.infer<typeof ToolDescriptions>;
