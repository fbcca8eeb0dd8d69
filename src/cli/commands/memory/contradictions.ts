import type { Command } from "commander";
import type { PossibleConflict } from "../../../core/schema/contradiction.ts";
import { ContradictionsReply } from "../../../core/schema/contradiction.ts";
import type { MemoryStatus } from "../../../core/schema/memory.ts";
import type { ReviewDecision } from "../../../core/schema/observing/conflict.ts";
import type { CallLocal } from "../../call.ts";
import { Refused } from "../../call.ts";
import type { Cli, CliFactory, CommonOptions } from "../../connect.ts";
import { plainText } from "../../output.ts";
import { scoped } from "../../program.ts";
import { changerOf, withProject } from "../../scope.ts";
import { UsageError } from "../../usage.ts";
import { listConflicts } from "./conflicts.ts";
import { changedAt, memoryCalls, seenAt, wholeId } from "./ids.ts";

/** What somebody may decide of a memory in conflict, and the status that it has then. */
const DECISIONS = { accept: "outdated", keep: "confirmed", undo: "active" } as const satisfies Record<
  string,
  MemoryStatus
>;

interface ConflictOptions extends CommonOptions {
  readonly accept?: boolean;
  readonly keep?: boolean;
  readonly undo?: boolean;
  readonly all?: boolean;
}

/** `cairn contradictions`. */
export function addContradictions(program: Command, cli: CliFactory): void {
  scoped(program.command("contradictions"), "cairn contradictions 01890a5d-ac96 --accept")
    .description(
      "what contradicts what: what waits for a decision and what was retired lately; with an id what stands against it",
    )
    .argument("[id]", "its id, or the beginning of it")
    .option("--accept", "the finding is right: it no longer holds, outdated")
    .option("--keep", "it holds nevertheless: confirmed")
    .option("--undo", "the finding was wrong: active as before")
    .option("--all", "without an id: also what was retired long ago, and what is decided")
    .action((id: string | undefined, options: ConflictOptions) =>
      cli.use(options, (one) => contradictions(one, id, options), { noModel: true }),
    );
}

async function contradictions(cli: Cli, written: string | undefined, options: ConflictOptions): Promise<void> {
  const decisions = Object.entries(DECISIONS).filter(([name]) => options[name as keyof typeof DECISIONS]);
  if (decisions.length > 1) throw new UsageError("Decide one thing: --accept, --keep or --undo.");
  const status = decisions[0]?.[1];
  if (written === undefined) {
    if (status === undefined) return listConflicts(cli, options.all === true);
    throw new UsageError("Say which memory it is about: `cairn contradictions` shows those in conflict.");
  }
  if (options.all) throw new UsageError("--all lists conflicts: it takes no id.");
  const id = await wholeId(cli, written);
  return status === undefined ? standingAgainst(cli, id) : decide(cli, id, status);
}

async function decide(cli: Cli, id: string, status: MemoryStatus): Promise<void> {
  await (status === DECISIONS.accept ? acceptFindings(cli, id) : dropPossible(cli, id));
  const reply = await memoryCalls(cli)("PATCH", changedAt(cli, id, "/status"), { status });
  if (cli.out.isJson) return cli.out.json(withProject(cli, reply));
  cli.out.line(`${id} is ${status} now.`);
}

/** What a correction says is not reviewed; nor may everybody change the memory that stands against one's own. */
const NOT_REVIEWED: readonly string[] = ["NOT_FOUND", "AGENT_TRUST_TOO_LOW"];

/** Accepts what newer memories say against it, as far as the caller may, so that nobody is asked about it again. */
const acceptFindings = (cli: Cli, older_id: string): Promise<void> =>
  review(cli, older_id, { decision: "accept", chosen: standing });

/** Says that it stands beside what may have changed it: a status that it has already would leave that open. */
const dropPossible = (cli: Cli, older_id: string): Promise<void> =>
  review(cli, older_id, { decision: "both_stand", chosen: ({ possible_conflicts }) => possible_conflicts });

interface Reviewing {
  readonly decision: ReviewDecision;
  readonly chosen: (reply: ContradictionsReply) => readonly PossibleConflict[];
}

/** Decides what newer memories say against an older one, as far as the caller may. */
async function review(cli: Cli, older_id: string, { decision, chosen }: Reviewing): Promise<void> {
  const ask: CallLocal = (...asked) =>
    cli.call(...asked).catch((error: unknown) => {
      if (error instanceof Refused && NOT_REVIEWED.includes(error.code)) return null;
      throw error;
    });
  const reply = await ask("GET", changedAt(cli, older_id, "/contradictions"));
  const found = reply === null ? [] : chosen(ContradictionsReply.parse(reply));
  for (const { direction, memory_id: newer_id } of found)
    if (direction === "superseded_by")
      await ask("POST", "/api/v1/conflicts/review", { ...changerOf(cli), newer_id, older_id, decision });
}

const standing = ({ contradictions, possible_conflicts }: ContradictionsReply) => [
  ...contradictions,
  ...possible_conflicts,
];

async function standingAgainst(cli: Cli, id: string): Promise<void> {
  const { out } = cli;
  const reply = await memoryCalls(cli)("GET", seenAt(cli, id, "/contradictions"));
  if (out.isJson) return out.json(withProject(cli, reply));
  const { possible_conflicts, ...sure } = ContradictionsReply.parse(reply);
  const { checked_at } = sure;
  const found = standing({ ...sure, possible_conflicts });
  for (const one of found)
    out.line(
      [
        `${relationOf(one, possible_conflicts)}: ${plainText(one.content_preview)}`,
        `  ${one.memory_id}, ${one.status}, ${one.rule} (${one.confidence.toFixed(2)}): "${plainText(one.spans.own.text)}" against "${plainText(one.spans.other.text)}"`,
      ].join("\n"),
    );
  if (found.length > 0) out.note("--accept makes it outdated, --keep confirms it, --undo makes it active again.");
  else out.note(checked_at === null ? "It has not been looked at yet." : "Nothing stands against it.");
}

/** How a memory stands to another one that speaks of the same. */
function relationOf(one: PossibleConflict, possible: readonly PossibleConflict[]): string {
  const isNewer = one.direction === "supersedes";
  if (possible.includes(one)) return isNewer ? "may have changed" : "may have changed by";
  return isNewer ? "newer than" : "older than";
}
