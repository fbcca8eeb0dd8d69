import type { Command, CommanderError } from "commander";
import { AppError } from "../../core/kernel/errors.ts";
import type { ReachOptions } from "../connect.ts";
import type { HookOptions, HookPlace } from "../hook/process.ts";
import { hookProcess } from "../hook/process.ts";
import { asUsageError, common, reaching } from "../program.ts";
import { UsageError } from "../usage.ts";

/** `cairn hook`: what a harness runs at its events. */
export function addHook(program: Command, open: (options: ReachOptions) => Promise<HookPlace>): void {
  reaching(common(program.command("hook"), "cairn hook session-start --harness claude < told.json"))
    .description("tell an agent's harness what memory holds; `cairn setup` writes it into its settings")
    .argument("<event>", "session-start, user-prompt, pre-compact or session-end")
    .option("--harness <name>", "claude, codex, cursor or gemini; else told by what it writes")
    .option("--budget <characters>", "what may be told: 3000 at a start, 1500 at a prompt")
    .option("--level <name>", "how much is told: quiet, normal or generous")
    .option("--debug", "say on standard error why nothing is told")
    .exitOverride(mildly)
    .action((event: string, options: HookOptions & ReachOptions) => hookProcess(event, options, () => open(options)));
}

/** A harness takes exit code 2 as an order to drop what its user wrote: a hook written wrongly must not end with it. */
function mildly(error: CommanderError): never {
  try {
    return asUsageError(error);
  } catch (fault) {
    throw fault instanceof UsageError ? new AppError("BAD_REQUEST", fault.message) : fault;
  }
}
