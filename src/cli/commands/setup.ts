import type { Command } from "commander";
import type { CliFactory, CommonOptions } from "../connect.ts";
import { HOOK_LEVELS } from "../hook/level.ts";
import { common } from "../program.ts";
import type { ServerPlace, SetupOptions } from "../setup/command.ts";
import { oneOf } from "./memory/flags.ts";

/** `cairn setup HARNESS`: writes into the settings of harnesses, or takes back; `placeOf` reads our own. */
export function addSetup(
  program: Command,
  cli: CliFactory,
  placeOf: (options: CommonOptions) => Promise<ServerPlace>,
): void {
  const setup = common(program.command("setup"), "cairn setup claude --dry-run")
    .description("let an agent use Cairn: write into the settings of its harness, shown as a diff first")
    .argument(
      "<harness>",
      "claude, codex, cursor, vscode, gemini, opencode, windsurf, zed, openclaw, or all that are found",
    )
    .option("--project", "in the files of this project, not in your own")
    .option("--stdio", "let the harness start `cairn mcp` (the default)")
    .option("--http", "give the harness the address of the server; a key stays in CAIRN_KEY")
    .addOption(oneOf("--hooks <level>", "how much hooks tell; normal unless given", HOOK_LEVELS))
    .option("--no-hooks", "no hooks; those of an earlier set-up go")
    .option("--agents-md", "a block in AGENTS.md of this project that says how to use it")
    .option("--dry-run", "show the diff and write nothing")
    .option("--remove", "take back what a set-up wrote, and nothing else")
    .option("-y, --yes", "do not ask; needed where there is no terminal");
  setup.action(async (harness: string, { project, ...options }: SetupOptions & { readonly project?: string }) => {
    const { runSetupCommand } = await import("../setup/command.ts");
    const inProject = project !== undefined;
    const place = await placeOf(options);
    if (!(await runSetupCommand(harness, { ...options, inProject }, place, cli.output(options)))) process.exitCode = 1;
  });
}
