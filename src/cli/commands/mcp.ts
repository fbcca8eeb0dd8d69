import type { Command } from "commander";
import { Option } from "commander";
import type { ReachOptions } from "../connect.ts";
import { common, reaching } from "../program.ts";
import type { ProxyOptions } from "../proxy/run.ts";
import { projectNamed } from "../which-project.ts";

interface McpOptions extends ReachOptions {
  readonly tools?: string;
}

/** `cairn mcp`: MCP over standard input and output; `open` says where the server is and how one is started. */
export function addMcp(
  program: Command,
  open: (options: ReachOptions) => Promise<Pick<ProxyOptions, "find" | "evidenceOf" | "folder" | "parent">>,
): void {
  reaching(common(program.command("mcp"), "cairn mcp --project website"))
    .description("MCP for a harness that starts it; starts a server where none runs, which goes on until `cairn stop`")
    .option("--project <name>", "the project; else the client's roots or this folder say it")
    .option("--agent <id>", "the agent that speaks; else the client's name")
    .addOption(
      new Option("--tools <set>", "all tools instead of the usual nine, or the older ones").choices(["all", "legacy"]),
    )
    .action(async (options: McpOptions) => {
      const { runProxy } = await import("../proxy/run.ts");
      await runProxy({
        ...(await open(options)),
        project: options.project === undefined ? null : projectNamed(options.project),
        agent: options.agent ?? null,
        tools: options.tools ?? null,
      });
      process.exit(0);
    });
}
