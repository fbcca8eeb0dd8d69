import { z } from "zod";

/** One setting: its flag, its variable, its key in the config file, and what it may be. */
interface Setting {
  readonly schema: z.ZodType;
  readonly flag: string;
  readonly env: string;
  readonly about: string;
  readonly isSwitch?: boolean;
}

/** A number, or a text that spells one; an empty text, a truth or nothing at all is none. */
const spelled = <T extends z.ZodNumber>(number: T) =>
  z.preprocess((value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value), number);
const port = spelled(z.int().min(0).max(65_535));
const count = spelled(z.int().min(1));
const toggle = z.union([z.boolean(), z.stringbool()]);

const words = z.union([
  z.array(z.string()),
  z.string().transform((text) => text.split(",").map((word) => word.trim())),
]);
const rate = spelled(z.number().min(0));

/** Nothing in an address is secret, so that a message may tell it: a key has a setting of its own. */
const endpoint = z
  .string()
  .refine(isEndpoint, "must be an http or https address without user name, password, query or fragment");
/** What a header can carry; the text itself is never repeated in a message. */
const headerKey = z.string().regex(/^[\x21-\x7e]+$/, "must be printable ASCII characters without spaces");

function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol)) return false;
  return [url.username, url.password, url.search, url.hash].every((part) => part === "");
}

/** A JSON text, or what the config file holds in its place. */
const parsed = (value: unknown): unknown => {
  try {
    return typeof value === "string" ? JSON.parse(value) : value;
  } catch {
    return value;
  }
};
const SkillTarget = z.strictObject({
  dir: z.string().min(1),
  mode: z.enum(["owned", "additive"]),
  register: z.boolean().default(false),
});
const skillTargets = z.preprocess(parsed, z.array(SkillTarget).max(100));

export const SETTINGS = {
  host: { schema: z.string().min(1), flag: "host", env: "CAIRN_HOST", about: "address to listen on" },
  port: { schema: port, flag: "port", env: "CAIRN_PORT", about: "port to listen on; 0 picks a free one" },
  data: { schema: z.string().min(1), flag: "data", env: "CAIRN_DATA", about: "folder of the data" },
  ephemeral: {
    schema: toggle,
    flag: "ephemeral",
    env: "CAIRN_EPHEMERAL",
    about: "keep everything in memory",
    isSwitch: true,
  },
  ready_json: {
    schema: toggle,
    flag: "ready-json",
    env: "CAIRN_READY_JSON",
    about: "print one JSON line when ready",
    isSwitch: true,
  },
  seed: {
    schema: z.string().min(1),
    flag: "seed",
    env: "CAIRN_SEED",
    about: "JSON Lines file of memories to load at start",
  },
  with_parent: {
    schema: toggle,
    flag: "with-parent",
    env: "CAIRN_WITH_PARENT",
    about: "stop when the process that started this one ends",
    isSwitch: true,
  },
  embedder: {
    schema: z.enum(["onnx", "hash"]),
    flag: "embedder",
    env: "CAIRN_EMBEDDER",
    about: "onnx (the real model) or hash (tests)",
  },
  memories_limit: {
    schema: count,
    flag: "memories-limit",
    env: "CAIRN_MEMORIES_LIMIT",
    about: "memories a tenant may hold",
  },
  standalone: {
    schema: toggle,
    flag: "standalone",
    env: "CAIRN_STANDALONE",
    about: "one fixed tenant; --no-standalone asks everyone for a key",
    isSwitch: true,
  },
  api_key: {
    schema: z.string().min(8),
    flag: "api-key",
    env: "CAIRN_API_KEY",
    about: "one shared key that every caller must send",
  },
  gateway_secret: {
    schema: z.string().min(8),
    flag: "gateway-secret",
    env: "CAIRN_GATEWAY_SECRET",
    about: "proof that a gateway sends with its identity headers",
  },
  insecure_no_auth: {
    schema: toggle,
    flag: "insecure-no-auth",
    env: "CAIRN_INSECURE_NO_AUTH",
    about: "listen beyond loopback without any key",
    isSwitch: true,
  },
  allowed_hosts: {
    schema: words,
    flag: "allowed-hosts",
    env: "CAIRN_ALLOWED_HOSTS",
    about: "further Host names, comma-separated",
  },
  allowed_origins: {
    schema: words,
    flag: "allowed-origins",
    env: "CAIRN_ALLOWED_ORIGINS",
    about: "web origins that may call, comma-separated",
  },
  rate_writes: {
    schema: rate,
    flag: "rate-writes",
    env: "CAIRN_RATE_WRITES",
    about: "writes a second per caller; 0 for no limit",
  },
  rate_bulk: {
    schema: rate,
    flag: "rate-bulk",
    env: "CAIRN_RATE_BULK",
    about: "bulk writes a second per caller; 0 for no limit",
  },
  rate_searches: {
    schema: rate,
    flag: "rate-searches",
    env: "CAIRN_RATE_SEARCHES",
    about: "searches a second per caller; 0 for no limit",
  },
  rate_reads: {
    schema: rate,
    flag: "rate-reads",
    env: "CAIRN_RATE_READS",
    about: "other calls a second per caller; 0 for no limit",
  },
  llm_base_url: {
    schema: endpoint,
    flag: "llm-base-url",
    env: "CAIRN_LLM_BASE_URL",
    about: "OpenAI-compatible endpoint of an optional language model",
  },
  llm_model: {
    schema: z.string().trim().min(1),
    flag: "llm-model",
    env: "CAIRN_LLM_MODEL",
    about: "name of that model",
  },
  llm_api_key: {
    schema: headerKey,
    flag: "llm-api-key",
    env: "CAIRN_LLM_API_KEY",
    about: "key of that endpoint, if it asks for one",
  },
  skill_targets: {
    schema: skillTargets,
    flag: "skill-targets",
    env: "CAIRN_SKILL_TARGETS",
    about: "folders for `cairn skills sync`: JSON array of {dir, mode: owned|additive, register?}",
  },
  skill_register: {
    schema: z.string().min(1),
    flag: "skill-register",
    env: "CAIRN_SKILL_REGISTER",
    about: "JSON file of a harness that `register` adds folders to; FILE#path.of.list names the list",
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
export const NAMES = Object.keys(SETTINGS).filter((name): name is SettingName => name in SETTINGS);

const Whole = z.object({
  host: SETTINGS.host.schema.default("127.0.0.1"),
  port: SETTINGS.port.schema.default(8000),
  data: SETTINGS.data.schema,
  ephemeral: SETTINGS.ephemeral.schema.default(false),
  ready_json: SETTINGS.ready_json.schema.default(false),
  seed: SETTINGS.seed.schema.optional(),
  with_parent: SETTINGS.with_parent.schema.default(false),
  embedder: SETTINGS.embedder.schema.default("onnx"),
  memories_limit: SETTINGS.memories_limit.schema.default(1_000_000),
  standalone: SETTINGS.standalone.schema.default(true),
  api_key: SETTINGS.api_key.schema.optional(),
  gateway_secret: SETTINGS.gateway_secret.schema.optional(),
  insecure_no_auth: SETTINGS.insecure_no_auth.schema.default(false),
  allowed_hosts: SETTINGS.allowed_hosts.schema.default([]),
  allowed_origins: SETTINGS.allowed_origins.schema.default([]),
  rate_writes: SETTINGS.rate_writes.schema.default(200),
  rate_bulk: SETTINGS.rate_bulk.schema.default(20),
  rate_searches: SETTINGS.rate_searches.schema.default(500),
  rate_reads: SETTINGS.rate_reads.schema.default(1_000),
  llm_base_url: SETTINGS.llm_base_url.schema.optional(),
  llm_model: SETTINGS.llm_model.schema.optional(),
  llm_api_key: SETTINGS.llm_api_key.schema.optional(),
  skill_targets: SETTINGS.skill_targets.schema.default([]),
  skill_register: SETTINGS.skill_register.schema.optional(),
  /** Where native parts of the executable are unpacked to. */
  cache: z.string().min(1),
});

/** Half a language model is an error at the start: it would be taken for a whole one. */
export const Config = Whole.superRefine((values, context) => {
  const { llm_base_url, llm_model, llm_api_key } = values;
  if ([llm_base_url, llm_model, llm_api_key].every((value) => value === undefined)) return;
  for (const name of ["llm_base_url", "llm_model"] as const) {
    const message = `is missing: a language model needs it (${SETTINGS[name].env} or --${SETTINGS[name].flag})`;
    if (values[name] === undefined) context.addIssue({ code: "custom", path: [name], message });
  }
});
export type Config = Readonly<z.infer<typeof Config>>;
