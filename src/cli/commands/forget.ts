import type { Command } from "commander";
import type { ForgetCounts, ForgetRequest } from "../../core/schema/keeping/forget.ts";
import { FORGET_COUNTED, Forgotten, sumOfCounts } from "../../core/schema/keeping/forget.ts";
import type { Cli, CliFactory, CommonOptions } from "../connect.ts";
import { momentOf } from "../moments.ts";
import { common } from "../program.ts";
import { progressLine } from "../progress.ts";
import { UsageError } from "../usage.ts";
import { requireSomebody, saysYes } from "./ask.ts";

interface ForgetOptions extends CommonOptions {
  readonly fleet?: string;
  readonly before?: string;
  readonly match?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** `cairn forget`: erases for good what a person, or the law, wants gone. */
export function addForget(program: Command, cli: CliFactory): void {
  common(program.command("forget"), 'cairn forget --match "customer 4711" --dry-run')
    .description(
      "erase for good all that passes every filter: texts, words, vectors, audit texts, free pages and the log",
    )
    .option("--agent <id>", "what this agent wrote; with no other filter also its row, and its keys are revoked")
    .option("--project <name>", "what belongs to this project")
    .option("--fleet <name>", "the same")
    .option("--no-scope", "what is written for everyone")
    .option("--before <date>", "what was written, and else last changed, before this moment, or before this day began")
    .option("--match <text>", "what holds this text, whatever its case")
    .option("--tenant <id>", "another tenant of this machine")
    .option("--dry-run", "only say how much that is")
    .option("--yes", "without being asked")
    .action((options: ForgetOptions) => cli.use(named(options), (one) => forget(one, options), { noModel: true }));
}

/** What is to be erased is asked for by name: whoever stands in a folder may well mean more than its project. */
function named({ scope: _, fleet, ...options }: ForgetOptions): CommonOptions {
  return fleet === undefined ? options : { project: fleet, ...options };
}

type Filter = Omit<ForgetRequest, "dry_run" | "next">;
type Outcome = Pick<Forgotten, "counts" | "backups" | "copies">;

async function forget(cli: Cli, options: ForgetOptions): Promise<void> {
  const { out } = cli;
  const filter = filterOf(cli, options);
  const { dryRun: dry_run = false, yes = false } = options;
  if (!dry_run && !yes) requireSomebody(out);
  const found = await inSteps(cli, { ...filter, dry_run: true }, "counting");
  const isNothing = rowsOf(found.counts) === 0;
  if (dry_run) return tell(cli, found, true);
  if (!yes && !isNothing) {
    for (const line of linesOf(found.counts)) out.note(`  ${line}`);
    if (!(await saysYes("Erase this for good?"))) {
      process.exitCode = 1;
      return out.note("Nothing was erased.");
    }
  }
  // Where nothing is found, what an interrupted run left in free pages is still cleared.
  tell(cli, await inSteps(cli, { ...filter, dry_run: false }, "forget", rowsOf(found.counts)), false);
}

function filterOf({ tenant_id, project }: Cli, { agent, scope, before, match }: ForgetOptions): Filter {
  const fleet_id = project?.id;
  const shared_only = scope === false && fleet_id === undefined ? true : undefined;
  if ([agent, fleet_id, shared_only, before, match].every((flag) => flag === undefined))
    throw new UsageError("Say what to forget: --agent, --project, --no-scope, --before, --match, or several of them.");
  return { tenant_id, agent_id: agent, fleet_id, shared_only, before: momentOf("--before", before, "first"), match };
}

/** Sends the request again until all is done; what each did is added up. */
async function inSteps({ call }: Cli, request: ForgetRequest, name: string, total = 0): Promise<Outcome> {
  const progress = progressLine(name);
  let counts = sumOfCounts([]);
  for (let next: string | undefined; ; ) {
    const reply = Forgotten.parse(await call("POST", "/api/v1/admin/forget", { ...request, next }));
    counts = sumOfCounts([counts, reply.counts]);
    if (reply.next === null) {
      progress.end();
      return { ...reply, counts };
    }
    next = reply.next;
    progress.show({ done: Math.min(rowsOf(counts), total), total, now: reply.now });
  }
}

const rowsOf = (counts: ForgetCounts): number => FORGET_COUNTED.reduce((sum, key) => sum + counts[key], 0);

const NAMES: Readonly<Record<keyof ForgetCounts, string>> = {
  memories: "memories, deleted ones too",
  documents: "documents, keystones and skills",
  entities: "entities entered by hand",
  relations: "relations",
  audit_entries: "audit entries, of which who did what when is left",
  kept_replies: "kept replies",
  agents: "agents, or their names",
  keys: "keys, revoked, or their labels",
  labels: "names of requests, imports and collections, reasons and reports",
};

const linesOf = (counts: ForgetCounts): string[] =>
  FORGET_COUNTED.filter((key) => counts[key] > 0).map((key) => `${NAMES[key]}: ${counts[key]}`);

function tell({ out }: Cli, { counts, backups, copies }: Outcome, dry_run: boolean): void {
  if (out.isJson) {
    out.json({ dry_run, counts, backups, copies });
    return;
  }
  const lines = linesOf(counts);
  if (lines.length > 0) out.line(lines.join("\n"));
  out.note(lines.length === 0 ? "Nothing matches." : dry_run ? "Nothing was erased." : "Erased for good.");
  const kept = [...backups.map(({ file, manifest }) => `${file}  ${manifest.created_at}`), ...copies];
  if (kept.length > 0) out.note(`Copies hold what there was when they were made; remove those that must not:`);
  for (const line of kept) out.note(`  ${line}`);
  out.note("Backups in other places, and exports, are not reached.");
}
