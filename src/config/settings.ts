import { z } from "zod";
import { LOG_LEVELS } from "../core/kernel/log.ts";
import {
  count,
  database,
  endpoint,
  headerKey,
  host,
  hostName,
  list,
  origin,
  password,
  port,
  rate,
  redis,
  skillTargets,
  text,
  threads,
  toggle,
} from "./values.ts";

/**
 * All settings. An entry is the whole of one: what it may be, what it is when nobody says, and what it means. `its_name` is
 * its key in the config file, `--its-name` its flag and `CAIRN_ITS_NAME` its variable.
 */
export const SETTINGS = {
  host: host.default("127.0.0.1").describe("address to listen on"),
  port: port.default(8000).describe("port to listen on; 0 picks a free one"),
  console_port: port
    .optional()
    .describe(
      "port from which browsers have the console on loopback, so that no program had its origin before; one of the data folder's own unless named, and the same as --port to share that one",
    ),
  data: text.describe("folder of the data"),
  cache: text.describe("folder that native parts of the executable are unpacked into"),
  database_url: database.optional().describe("PostgreSQL database that keeps the data in place of the folder"),
  database_connections: count.default(16).describe("connections to that database that this process keeps at most"),
  ephemeral: toggle.default(false).describe("keep everything in memory"),
  ready_json: toggle.default(false).describe("print one JSON line when ready, or when the start failed"),
  log_level: z
    .enum(LOG_LEVELS)
    .default("info")
    .describe("least level of lines on stderr: debug, info, warn, error, silent; on a terminal warn unless it is set"),
  seed: text.optional().describe("JSON Lines file of memories to load at start"),
  ready_when: z
    .enum(["listening", "keyword", "searchable"])
    .optional()
    .describe(
      "ready once it listens, once the seed is found by keyword, or by meaning; searchable for --ephemeral with a seed, keyword without",
    ),
  with_parent: toggle.default(false).describe("stop when the process that started this one ends"),
  embedder: z
    .enum(["onnx", "hash"])
    .default("onnx")
    .describe("onnx (the model that the data folder names, multilingual-e5-notes-v1 at first) or hash (tests)"),
  models: text.optional().describe("folder with embedding models of your own, for `cairn reembed --model`"),
  memories_limit: count.default(1_000_000).describe("memories a tenant may hold"),
  documents_limit: count.default(100_000).describe("documents a tenant may hold, keystones and skills among them"),
  // Bounds of what one caller may make the server do; of the server, since they keep one tenant from stopping all.
  body_values_limit: count.default(100_000).describe("JSON values that one body may hold"),
  where_nodes_limit: count.default(256).describe("JSON values that the where of a query may hold"),
  metadata_bytes_limit: count.default(64 * 1024).describe("bytes of JSON that a memory's metadata may be"),
  document_bytes_limit: count.default(1024 * 1024).describe("bytes of JSON that a document's data may be"),
  members_limit: count.default(5_000).describe("members that metadata or a document's data may have at its top"),
  reply_bytes_limit: count.default(8 * 1024 * 1024).describe("bytes of rows in one reply; a page ends before it"),
  standalone: toggle.default(true).describe("one fixed tenant; --no-standalone asks everyone for a key"),
  api_key: password.optional().describe("one shared key that every caller must send"),
  gateway_secret: password.optional().describe("proof that a gateway sends with its identity headers"),
  insecure_no_auth: toggle.default(false).describe("listen beyond loopback without any key"),
  any_local_user: toggle.default(false).describe("without keys, answer every account of this machine"),
  allowed_hosts: list(hostName).default([]).describe("further Host names, comma-separated"),
  allowed_origins: list(origin).default([]).describe("web origins that may call, comma-separated"),
  rate_writes: rate.default(200).describe("writes a second per caller; 0 for no limit"),
  rate_bulk: rate.default(20).describe("bulk writes a second per caller; 0 for no limit"),
  rate_searches: rate.default(500).describe("searches a second per caller; 0 for no limit"),
  rate_reads: rate.default(1_000).describe("other calls a second per caller; 0 for no limit"),
  search_threads: threads
    .optional()
    .describe("threads that search, one for each core but one without it; 0 leaves it to the one that serves"),
  vector_extension: toggle
    .default(true)
    .describe(
      "keep codes of vectors in sqlite-vec where it can be loaded; else, and without it, in plain tables; a folder made with it needs it",
    ),
  requests_limit: count
    .default(1_000)
    .describe(
      "requests in hand at a time, of one caller no more than are left to others; further ones are told to come back",
    ),
  connections_limit: count
    .default(10_000)
    .describe("open connections, 16 at least; beyond it, or what descriptors allow, idle ones are closed"),
  many_valued_predicates: list(text)
    .default([])
    .describe(
      "further predicates of which a subject may have several objects at once (speaks, likes, member_of ... are known)",
    ),
  redis_url: redis.optional().describe("Redis or Valkey, to share the four rates above with other servers"),
  llm_base_url: endpoint.optional().describe("OpenAI-compatible endpoint of an optional language model"),
  llm_model: text.optional().describe("name of that model"),
  llm_api_key: headerKey.optional().describe("key of that endpoint, if it asks for one"),
  skill_targets: skillTargets
    .default([])
    .describe("folders for `cairn skills sync`: JSON array of {dir, mode: owned|additive, register?}"),
  skill_register: text
    .optional()
    .describe("JSON file of a harness that `register` adds folders to; FILE#path.of.list names the list"),
};

export type SettingName = keyof typeof SETTINGS;
export const NAMES = Object.keys(SETTINGS).filter((name): name is SettingName => name in SETTINGS);

/** The flag of a setting, without its dashes. */
export const flagOf = (name: SettingName): string => name.replaceAll("_", "-");
/** The environment variable of a setting. */
export const variableOf = (name: SettingName): string => `CAIRN_${name.toUpperCase()}`;

/** Settings of which no message repeats a value: each holds a secret, or might. */
export const SECRETS: readonly SettingName[] = [
  "api_key",
  "database_url",
  "gateway_secret",
  "redis_url",
  "llm_base_url",
  "llm_api_key",
];

/** Whether the flag stands alone, and `--no-` before it turns it off. */
export function isSwitch(name: SettingName): boolean {
  const schema: z.ZodType = SETTINGS[name];
  return schema instanceof z.ZodDefault && schema.unwrap() === toggle;
}

/** Half a language model is an error at the start: it would be taken for a whole one. So are two places for the data. */
export const Config = z.object(SETTINGS).superRefine((values, context) => {
  if (values.ephemeral && values.database_url !== undefined)
    context.addIssue({
      code: "custom",
      path: ["ephemeral"],
      message: `and ${flagOf("database_url")} (${variableOf("database_url")}) exclude each other: leave out one of them`,
    });
  const { llm_base_url, llm_model, llm_api_key } = values;
  if ([llm_base_url, llm_model, llm_api_key].every((value) => value === undefined)) return;
  for (const name of ["llm_base_url", "llm_model"] as const) {
    const message = `is missing: a language model needs it (${variableOf(name)} or --${flagOf(name)})`;
    if (values[name] === undefined) context.addIssue({ code: "custom", path: [name], message });
  }
});
export type Config = Readonly<z.infer<typeof Config>>;
