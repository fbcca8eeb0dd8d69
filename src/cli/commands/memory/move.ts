import type { Command } from "commander";
import type { Cli, CliFactory, CommonOptions } from "../../connect.ts";
import { moveAll, targetNamed, tellMoves } from "../../moving.ts";
import { scoped } from "../../program.ts";
import { UsageError } from "../../usage.ts";
import { requireSomebody, saysYes } from "../ask.ts";
import { wholeIds } from "./ids.ts";

interface MoveOptions extends CommonOptions {
  readonly to?: string;
  readonly match?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** `cairn move`: gives memories to another project, or to everyone. */
export function addMove(program: Command, cli: CliFactory): void {
  scoped(program.command("move"), "cairn move 01890a5d-ac96 --to web-shop")
    .description("give memories to another project, or to everyone; ids, history and links stay")
    .argument("[id...]", "their ids, or the beginnings of them")
    .option("--to <project>", "the project, or everyone")
    .option("--match <text>", "what of this project, outside any of everyone, holds this text")
    .option("--dry-run", "only say how much that is")
    .option("--yes", "with --match: without being asked")
    .action((ids: string[], options: MoveOptions) =>
      cli.use(options, (one) => move(one, ids, options), { noModel: true }),
    );
}

async function move(cli: Cli, written: readonly string[], options: MoveOptions): Promise<void> {
  const { out, project } = cli;
  const { to, match, dryRun = false, yes = false } = options;
  if (to === undefined) throw new UsageError("Say where they go: --to PROJECT, or --to everyone.");
  if ((written.length === 0) === (match === undefined)) throw new UsageError("Say what to move: ids, or --match TEXT.");
  const target = await targetNamed(cli, to, dryRun);
  if (match === undefined) {
    const moves = await moveAll(cli, { ids: await wholeIds(cli, written) }, target, dryRun);
    return tellMoves(cli, moves, target, dryRun);
  }
  const from = project ? { fleet_id: project.id } : { no_fleet: true };
  const chosen = { filter: { ...from, match } };
  if (!dryRun && !yes) {
    requireSomebody(out);
    const found = await moveAll(cli, chosen, target, true);
    if (found.moved > 0 && !(await saysYes(`Move ${found.moved} to ${target.said}?`))) {
      process.exitCode = 1;
      return out.note("Nothing was moved.");
    }
  }
  tellMoves(cli, await moveAll(cli, chosen, target, dryRun), target, dryRun);
}
