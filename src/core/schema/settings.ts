import { z } from "zod";
import { countValues } from "../kernel/json.ts";
import { JsonRecord } from "./common.ts";

const days = () => z.int().min(1).max(365);
const Forge = z.strictObject({
  cron_interval_hours: z.int().min(1).max(720).default(6),
  min_cluster_size: z.int().min(1).max(1_000).default(3),
  min_distinct_agents: z.int().min(1).max(1_000).default(3),
  freshness_window_days: days().default(14),
  max_writes_per_run: z.int().min(1).max(1_000).default(20),
  llm_tokens_per_run: z.int().min(0).max(10_000_000).default(50_000),
});
const Sentinel = z.strictObject({
  fail_on_critical: z.boolean().default(true),
  auto_promote_clean: z.boolean().default(false).describe("Skips the inbox for clean, fully gated candidates."),
});
const OpenClawBridge = z.strictObject({
  enabled: z
    .boolean()
    .default(false)
    .describe(
      "Lists skills of agents and the Forge under their bare slug too, for plugins that install no other doc_id.",
    ),
});
const SkillsFactory = z.strictObject({
  enabled: z.boolean().default(false).describe("Master switch: off means no gates, no Forge, no inbox."),
  description_max_bytes: z.int().min(1).max(10_000).default(160),
  body_max_bytes: z.int().min(1).max(10_000_000).default(40_000),
  inbox_max_pending: z.int().min(1).max(200).default(50),
  rejection_cooloff_days: days().default(30),
  sentinel: Sentinel.prefault({}),
  openclaw_bridge: OpenClawBridge.prefault({}),
  forge: Forge.prefault({}),
});

const Memories = z.strictObject({
  deleted_grace_days: z
    .int()
    .min(0)
    .max(3_650)
    .default(30)
    .describe("How long a deleted memory can be restored; after that it is erased for good."),
  expired_grace_days: z
    .int()
    .min(0)
    .max(3_650)
    .nullable()
    .default(null)
    .describe("How long a memory stays after it has expired; after that it is erased for good. Null keeps it."),
});

export const RULES_FROM_MCP = ["propose", "write"] as const;
const Keystones = z.strictObject({
  from_mcp: z
    .enum(RULES_FROM_MCP)
    .default("propose")
    .describe(
      "What becomes of a rule from MCP where no key tells an agent from a person: it waits until a person accepts it, or is written at once.",
    ),
});

const Audit = z.strictObject({
  keep_days: z
    .int()
    .min(1)
    .max(36_500)
    .nullable()
    .default(null)
    .describe(
      "How long an audit entry stays, the days in which a deleted memory can be restored at the least. Null keeps all.",
    ),
});

const Tree = z.strictObject({
  memories: Memories.prefault({}),
  audit: Audit.prefault({}),
  keystones: Keystones.prefault({}),
  skills_factory: SkillsFactory.prefault({}),
});

/** All settings of a tenant; every value has a default, so `{}` is a whole tree. */
export const OrgSettings = Tree.meta({ id: "OrgSettings" });
export type OrgSettings = z.infer<typeof OrgSettings>;

/** JSON values that a change may hold: more than ten times those of the whole tree. */
const VALUES_MAX = 500;
/** Unknown names that a refusal lists: whoever sends thousands is not told each. */
const UNKNOWN_TOLD = 20;

/** Any part of the tree, checked like the whole of it; what is left out stays as it is. */
export const OrgSettingsPatch = JsonRecord.superRefine((patch, context) => {
  // The tree reads all unknown names before it tells the first.
  if (countValues(patch, VALUES_MAX) > VALUES_MAX) {
    context.addIssue({ code: "custom", message: `At most ${VALUES_MAX} JSON values` });
    return;
  }
  for (const issue of OrgSettings.safeParse(patch).error?.issues ?? []) {
    if (issue.code !== "unrecognized_keys")
      context.addIssue({ code: "custom", path: issue.path, message: issue.message });
    else
      for (const key of issue.keys.slice(0, UNKNOWN_TOLD))
        context.addIssue({ code: "custom", path: [...issue.path, key], message: "No such setting" });
  }
}).meta({
  id: "OrgSettingsPatch",
  description: "Part of the OrgSettings tree; deep-merged.",
  additionalProperties: false,
  // The whole tree, any member of which may be left out; worked out only when the documentation is asked for.
  get properties() {
    return z.toJSONSchema(Tree, { io: "input" }).properties;
  },
});
export type OrgSettingsPatch = z.infer<typeof OrgSettingsPatch>;
