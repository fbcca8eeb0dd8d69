/** What a setting is called, what it does, and in what it counts. */
interface SettingWords {
  readonly name: string;
  readonly about?: string;
  readonly unit?: string;
  /** The values that it may have, and what each means. */
  readonly choices?: readonly (readonly [value: string, words: string])[];
}

const GROUPS: Readonly<Record<string, string>> = {
  memories: "Memories",
  audit: "Audit log",
  keystones: "Keystones",
  skills_factory: "Skill factory",
  "skills_factory.sentinel": "Skill factory: the Sentinel",
  "skills_factory.openclaw_bridge": "Skill factory: bridge to OpenClaw",
  "skills_factory.forge": "Skill factory: the Forge",
};

const SETTINGS: Readonly<Record<string, SettingWords>> = {
  "memories.deleted_grace_days": {
    name: "Deleted memories stay",
    unit: "days",
    about: "How long a deleted memory can be restored; after that it is erased for good.",
  },
  "memories.expired_grace_days": {
    name: "Expired memories stay",
    unit: "days",
    about:
      "How long a memory stays after it has expired; after that it is erased for good. Without a limit it is kept.",
  },
  "audit.keep_days": {
    name: "Audit entries stay",
    unit: "days",
    about: "At the least for the days in which a deleted memory can be restored. Without a limit all are kept.",
  },
  "keystones.from_mcp": {
    name: "Rules that come over MCP without a key",
    about: "No key tells an agent from a person there.",
    choices: [
      ["propose", "wait until a person accepts them"],
      ["write", "bind at once"],
    ],
  },
  "skills_factory.enabled": { name: "Enabled", about: "Master switch: off means no gates, no Forge, no inbox." },
  "skills_factory.description_max_bytes": { name: "Longest description", unit: "bytes" },
  "skills_factory.body_max_bytes": { name: "Longest text of a skill", unit: "bytes" },
  "skills_factory.inbox_max_pending": { name: "Skills that may wait in the inbox" },
  "skills_factory.rejection_cooloff_days": {
    name: "Rejected skills are remembered",
    unit: "days",
    about: "Until then the same skill is not proposed again.",
  },
  "skills_factory.sentinel.fail_on_critical": { name: "A critical finding stops a skill" },
  "skills_factory.sentinel.auto_promote_clean": {
    name: "Promote clean skills by itself",
    about: "Skips the inbox for clean, fully gated candidates.",
  },
  "skills_factory.openclaw_bridge.enabled": {
    name: "Enabled",
    about: "Lists skills of agents and the Forge under their bare slug too, for plugins that install no other doc_id.",
  },
  "skills_factory.forge.cron_interval_hours": { name: "Runs every", unit: "hours" },
  "skills_factory.forge.min_cluster_size": { name: "Memories that make a skill, at least" },
  "skills_factory.forge.min_distinct_agents": { name: "Agents that wrote them, at least" },
  "skills_factory.forge.freshness_window_days": { name: "Looks back", unit: "days" },
  "skills_factory.forge.max_writes_per_run": { name: "Skills a run may propose" },
  "skills_factory.forge.llm_tokens_per_run": { name: "Tokens of the language model a run may use" },
};

/** The title of a group; its path where this page has no words for it. */
export const groupWords = (path: string): string => GROUPS[path] ?? path;

/** Words for a setting; its name where this page has none. */
export const settingWords = (path: string): SettingWords =>
  SETTINGS[path] ?? { name: (path.split(".").at(-1) ?? path).replaceAll("_", " ") };
