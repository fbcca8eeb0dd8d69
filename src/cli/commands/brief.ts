import type { Command } from "commander";
import { systemClock } from "../../core/kernel/clock.ts";
import { QUERY_WAIT_MS } from "../../core/schema/retrieval.ts";
import type { WorkInHand } from "../../projects/folder/work-in-hand.ts";
import type { Cli, CliFactory, CommonOptions } from "../connect.ts";
import type { Harness } from "../hook/harness.ts";
import { AGENT_OF, CONTEXT_MAX, HARNESSES } from "../hook/harness.ts";
import { DEFAULT_LEVEL, FLOORS } from "../hook/level.ts";
import { briefText } from "../hook/run.ts";
import { plainText } from "../output.ts";
import { scoped } from "../program.ts";
import { tellScope, withProject } from "../scope.ts";
import { countOf, oneOf } from "./memory/flags.ts";

interface BriefOptions extends CommonOptions {
  readonly budget?: string;
  readonly harness?: Harness;
}

/** Fewer characters tell nothing; a harness takes no more. */
const BUDGET: readonly [number, number] = [200, CONTEXT_MAX];

/** `cairn brief`: what a session that starts in this folder is told. */
export function addBrief(program: Command, cli: CliFactory, workHere: () => WorkInHand | null): void {
  scoped(program.command("brief"), "cairn brief --budget 1500")
    .description(
      "what an agent is told at the start of a session here: rules, what bears on the work in hand, the latest",
    )
    .option("--budget <characters>", "how much may be told: 3000 unless given")
    .addOption(oneOf("--harness <name>", "whose agent, for its own rules", HARNESSES))
    .action((options: BriefOptions) => cli.use(options, (one) => brief(one, options, workHere)));
}

async function brief(cli: Cli, { budget, harness }: BriefOptions, workHere: () => WorkInHand | null): Promise<void> {
  const { call, project, tenant_id, out } = cli;
  // What is in hand here has nothing to do with a project that was named.
  const work = project?.source === "argument" ? null : workHere();
  const agent = cli.agent_id ?? (harness === undefined ? null : AGENT_OF[harness]);
  const asked = {
    tenant_id,
    project,
    agent,
    now: systemClock.now(),
    work,
    floor: FLOORS[DEFAULT_LEVEL],
    wait_ms: QUERY_WAIT_MS,
  };
  const text = await briefText(call, asked, countOf("--budget", budget, BUDGET));
  if (out.isJson) return out.json(withProject(cli, { brief: text }));
  if (text === "") out.note("Nothing would be told.");
  else out.line(plainText(text, { keepsLines: true }));
  tellScope(cli);
}
