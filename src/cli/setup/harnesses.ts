import { join } from "node:path";
import {
  base,
  claudeFolder,
  codexFolder,
  configFolder,
  geminiFile,
  jsonOrJsonc,
  opencodeFolder,
  vscodeFolder,
  zedName,
} from "./folders.ts";
import type { Harness } from "./harness.ts";
import { codexEntry, plain } from "./harness.ts";

/** The name of our entry, wherever it is. */
const NAME = "cairn";

/** Seconds that a hook may take; Cairn itself is silent after less than one. */
const HOOK_SECONDS = 5;

const CLAUDE_EVENTS = {
  "session-start": "SessionStart",
  "user-prompt": "UserPromptSubmit",
  "pre-compact": "PreCompact",
  "session-end": "SessionEnd",
} as const;

/**
 * What each harness reads, by its own documentation (named at each, looked up in November 2026); Claude Code 2.1, Codex
 * 0.169, Gemini CLI 0.61 and OpenCode 1.18 were seen to list what is written here. Nothing here has hooks
 * for VS Code, which reads those of Claude Code too and would run each twice (code.visualstudio.com/docs/agent-customization/hooks),
 * for Windsurf, whose hooks can stop a prompt and add nothing to it (docs.windsurf.com/windsurf/cascade/hooks), for
 * OpenCode and OpenClaw, which have plugins in their place, nor for Zed, which has none.
 */
export const HARNESSES = {
  claude: {
    title: "Claude Code",
    command: "claude",
    trace: (machine) => claudeFolder(machine),
    // code.claude.com/docs/en/mcp: user scope in ~/.claude.json, project scope in .mcp.json, never in settings.json.
    // code.claude.com/docs/en/env-vars: CLAUDE_CONFIG_DIR holds both .claude.json and the folder's own files.
    entry: (machine, scope) => ({
      file:
        scope === "project"
          ? join(machine.project, ".mcp.json")
          : join(machine.env.CLAUDE_CONFIG_DIR || machine.home, ".claude.json"),
      format: "json",
      path: ["mcpServers", NAME],
    }),
    write: (server) => ({ type: server.kind, ...plain(server, "url") }),
    bearer: (name) => `Bearer \${${name}}`,
    // code.claude.com/docs/en/hooks and /settings: settings.local.json is a person's own within a project, as the path
    // of this executable is.
    hooks: (machine, scope) => ({
      file:
        scope === "project"
          ? join(machine.project, ".claude", "settings.local.json")
          : join(claudeFolder(machine), "settings.json"),
      events: CLAUDE_EVENTS,
      style: "groups",
      timeout: HOOK_SECONDS,
      is_personal: true,
      others: scope === "project" ? [join(machine.project, ".claude", "settings.json")] : [],
    }),
    next: "Start claude anew; /mcp lists cairn.",
  },
  codex: {
    title: "Codex",
    command: "codex",
    trace: (machine) => codexFolder(machine, "user"),
    // developers.openai.com/codex/mcp: [mcp_servers.NAME] in config.toml; a project's .codex/config.toml counts once it is trusted.
    entry: (machine, scope) => ({
      file: join(codexFolder(machine, scope), "config.toml"),
      format: "toml",
      path: ["mcp_servers", NAME],
    }),
    write: codexEntry,
    bearer: (name) => name,
    // developers.openai.com/codex/hooks: hooks.json beside config.toml; SessionStart comes with source compact, too.
    hooks: (machine, scope) => ({
      file: join(codexFolder(machine, scope), "hooks.json"),
      events: { "session-start": "SessionStart", "user-prompt": "UserPromptSubmit", "pre-compact": "PreCompact" },
      style: "groups",
      timeout: HOOK_SECONDS,
    }),
    next: "Start codex anew, trust the new hooks in /hooks; /mcp lists cairn.",
  },
  cursor: {
    title: "Cursor",
    command: "cursor",
    trace: ({ home }) => join(home, ".cursor"),
    // cursor.com/docs/mcp: ~/.cursor/mcp.json, or .cursor/mcp.json in a project; ${env:NAME} in headers.
    entry: (machine, scope) => ({
      file: join(base(machine, scope), ".cursor", "mcp.json"),
      format: "json",
      path: ["mcpServers", NAME],
    }),
    write: (server) => plain(server, "url"),
    bearer: (name) => `Bearer \${env:${name}}`,
    // cursor.com/docs/agent/hooks: version 1, hooks flat in lists, seconds.
    hooks: (machine, scope) => ({
      file: join(base(machine, scope), ".cursor", "hooks.json"),
      events: {
        "session-start": "sessionStart",
        "user-prompt": "beforeSubmitPrompt",
        "pre-compact": "preCompact",
        "session-end": "sessionEnd",
      },
      style: "flat",
      timeout: HOOK_SECONDS,
      base: [{ kind: "base", path: ["version"], value: 1 }],
    }),
    next: "Start Cursor anew; Settings > MCP lists cairn.",
  },
  vscode: {
    title: "VS Code",
    command: "code",
    trace: (machine) => join(vscodeFolder(machine), ".."),
    // code.visualstudio.com/docs/copilot/reference/mcp-configuration: `servers` in the profile's mcp.json, or .vscode/mcp.json.
    entry: (machine, scope) => ({
      file: join(scope === "project" ? join(machine.project, ".vscode") : vscodeFolder(machine), "mcp.json"),
      format: "json",
      path: ["servers", NAME],
    }),
    write: (server) => ({ type: server.kind, ...plain(server, "url") }),
    bearer: (name) => `Bearer \${env:${name}}`,
    next: "Run `MCP: List Servers` in VS Code and start cairn.",
  },
  gemini: {
    title: "Gemini CLI",
    command: "gemini",
    trace: ({ home }) => join(home, ".gemini"),
    // github.com/google-gemini/gemini-cli docs/tools/mcp-server.md: httpUrl for streamable HTTP; $NAME in any text.
    entry: (machine, scope) => ({ file: geminiFile(machine, scope), format: "json", path: ["mcpServers", NAME] }),
    write: (server) => plain(server, "httpUrl"),
    bearer: (name) => `Bearer \${${name}}`,
    // github.com/google-gemini/gemini-cli docs/hooks/reference.md: in the same file, in milliseconds.
    hooks: (machine, scope) => ({
      file: geminiFile(machine, scope),
      events: {
        "session-start": "SessionStart",
        "user-prompt": "BeforeAgent",
        "pre-compact": "PreCompress",
        "session-end": "SessionEnd",
      },
      style: "groups",
      timeout: HOOK_SECONDS * 1000,
    }),
    next: "Start gemini anew; /mcp lists cairn.",
  },
  opencode: {
    title: "OpenCode",
    command: "opencode",
    trace: ({ home, env }) => opencodeFolder({ home, env }),
    // opencode.ai/docs/config: opencode.json or opencode.jsonc, also on Windows in ~/.config.
    // opencode.ai/docs/migrate-v1: version 2 reads mcp.NAME of version 1, which cannot read mcp.servers.NAME.
    entry: (machine, scope) => ({
      file: jsonOrJsonc(join(scope === "project" ? machine.project : opencodeFolder(machine), "opencode.json")),
      format: "json",
      path: ["mcp", NAME],
      others: [["mcp", "servers", NAME]],
    }),
    write: (server) =>
      server.kind === "stdio"
        ? { type: "local", command: [server.command, ...server.args] }
        : { type: "remote", ...plain(server, "url") },
    bearer: (name) => `Bearer {env:${name}}`,
    next: "Start opencode anew; `opencode mcp list` lists cairn.",
  },
  windsurf: {
    title: "Windsurf",
    command: "windsurf",
    trace: ({ home }) => join(home, ".codeium", "windsurf"),
    // docs.windsurf.com/windsurf/cascade/mcp: one file for all projects; serverUrl; ${env:NAME} in headers.
    entry: ({ home }, scope) =>
      scope === "project"
        ? null
        : { file: join(home, ".codeium", "windsurf", "mcp_config.json"), format: "json", path: ["mcpServers", NAME] },
    write: (server) => plain(server, "serverUrl"),
    bearer: (name) => `Bearer \${env:${name}}`,
    next: "Refresh the MCP servers in the panel of Cascade.",
  },
  zed: {
    title: "Zed",
    command: "zed",
    trace: (machine) => join(configFolder(machine), zedName(machine)),
    // zed.dev/docs/ai/mcp and /configuring-zed: context_servers in settings.json, or .zed/settings.json in a project.
    entry: (machine, scope) => ({
      file: join(
        scope === "project" ? join(machine.project, ".zed") : join(configFolder(machine), zedName(machine)),
        "settings.json",
      ),
      format: "json",
      path: ["context_servers", NAME],
    }),
    write: (server) => ({ source: "custom", ...plain(server, "url") }),
    bearer: null,
    next: "Open the settings of Zed's agent panel: cairn has a green dot.",
  },
  openclaw: {
    title: "OpenClaw",
    command: "openclaw",
    trace: ({ home, env }) => env.OPENCLAW_STATE_DIR || join(home, ".openclaw"),
    // docs.openclaw.ai/cli/mcp and /gateway/configuration: mcp.servers in openclaw.json; without `transport` it speaks SSE.
    entry: ({ home, env }, scope) =>
      scope === "project"
        ? null
        : {
            file: env.OPENCLAW_CONFIG_PATH || join(env.OPENCLAW_STATE_DIR || join(home, ".openclaw"), "openclaw.json"),
            format: "json",
            path: ["mcp", "servers", NAME],
          },
    write: (server) => ({
      ...plain(server, "url"),
      ...(server.kind === "http" ? { transport: "streamable-http" } : {}),
    }),
    bearer: (name) => `Bearer \${${name}}`,
    next: "Run `openclaw mcp doctor cairn --probe`, then restart the gateway.",
  },
} as const satisfies Record<string, Harness>;

export type HarnessName = keyof typeof HARNESSES;
export const HARNESS_NAMES = Object.keys(HARNESSES).filter((name): name is HarnessName => name in HARNESSES);
