import type { Command } from "commander";
import { z } from "zod";
import { LEAST_SUMMED_UP, likelyOf } from "../../../core/schema/retrieval.ts";
import type { Cli, CliFactory, CommonOptions } from "../../connect.ts";
import { momentOf, validAtOf } from "../../moments.ts";
import { plainText } from "../../output.ts";
import { scoped } from "../../program.ts";
import { readerOf, tellScope, tellUnknown, withProject } from "../../scope.ts";
import { Diagnostic, EXPLAINED, explained, sayDiagnostic } from "./explain.ts";
import { countOf, flags, queryOf, shareOf } from "./flags.ts";
import { columnsOf, FIELDS, Row } from "./rows.ts";

interface FindOptions extends CommonOptions {
  readonly explain?: boolean;
  readonly top?: string;
  readonly asOf?: string;
  readonly happenedFrom?: string;
  readonly happenedTo?: string;
  readonly type?: string;
  readonly status?: string;
  readonly minScore?: string;
  readonly allProjects?: boolean;
  readonly all?: boolean;
}

const TOP: readonly [number, number] = [1, 20];

/** `cairn search` and `cairn recall`. */
export function addFind(program: Command, cli: CliFactory): void {
  asking(scoped(program.command("search"), 'cairn search "when do we release?" --explain'))
    .description("find memories by meaning, words and names")
    .option("--explain", "say why each row is there: the parts of its score, the reasons, what was left out")
    .action((query: string, options: FindOptions) => cli.use(options, (one) => search(one, query, options)));
  asking(scoped(program.command("recall"), 'cairn recall "who signs off design changes?"'))
    .description("an answer put together from memories, with the rows that it rests on")
    .action((query: string, options: FindOptions) => cli.use(options, (one) => recall(one, query, options)));
}

const asking = (command: Command): Command =>
  command
    .argument("<query>", "a question or keywords", queryOf)
    .option("--top <1..20>", "how many rows")
    .option("--as-of <date>", "what held at that time: 2026-03-01, or '3 days ago'")
    .option("--happened-from <date>", "what happened then or later")
    .option("--happened-to <date>", "what happened then or earlier; a day is in it as a whole")
    .addOption(flags.type("only this type"))
    .addOption(flags.status("only this status; outdated rows are left out unless asked for"))
    .option("--min-score <0..1>", "leave out what is less likely to answer")
    .option("--all", "what hardly answers, too, which is else left out; --json has it always")
    .option("--all-projects", "whatever project it is of");

const bodyOf = (cli: Cli, query: string, options: FindOptions) => ({
  tenant_id: cli.tenant_id,
  query,
  top_k: countOf("--top", options.top, TOP),
  ...validAtOf("--as-of", options.asOf),
  happened_from: momentOf("--happened-from", options.happenedFrom, "first"),
  happened_to: momentOf("--happened-to", options.happenedTo, "last"),
  memory_type: options.type,
  status: options.status,
  min_score: shareOf("--min-score", options.minScore),
  agent_id: readerOf(cli),
  ...(cli.out.isJson ? {} : { fields: FIELDS.split(",") }),
  ...(options.explain ? { diagnostic: true } : {}),
  ...(options.allProjects ? {} : cli.project ? { fleet_ids: [cli.project.id] } : { shared_only: true }),
});

const Warnings = z.array(z.object({ message: z.string() })).nullable();
const Found = z.object({ items: z.array(Row), warnings: Warnings, diagnostic: Diagnostic.nullish() });

async function search(cli: Cli, query: string, options: FindOptions): Promise<void> {
  const { call, out } = cli;
  const reply = await call("POST", "/api/v1/search", bodyOf(cli, query, options));
  if (out.isJson) return out.json(withProject(cli, reply));
  const { items: found, warnings, diagnostic } = Found.parse(reply);
  const items = isFloored(options) ? likelyOf(found) : found;
  const columns = columnsOf(out, { scored: true });
  if (!options.explain) out.table(items, columns);
  else if (!out.isTerminal) out.table(items, [...columns, ...EXPLAINED]);
  else for (const [i, row] of items.entries()) out.line(explained(out, row, i + 1));
  if (diagnostic) out.note(sayDiagnostic(diagnostic));
  const weaker = found.length - items.length;
  const left = weaker > 0 ? `${weaker} that hardly answer left out: --all shows them.` : null;
  await tell(cli, { rows: items, warnings, options, left });
}

/** Whether what hardly answers is left out: not where somebody has chosen, or is told why each row is there. */
const isFloored = ({ all, explain, minScore }: FindOptions): boolean => !all && !explain && minScore === undefined;

const Recalled = z.object({ summary: z.string(), memories: z.array(Row), warnings: Warnings });

async function recall(cli: Cli, query: string, options: FindOptions): Promise<void> {
  const { call, out } = cli;
  const reply = await call("POST", "/api/v1/recall", { ...bodyOf(cli, query, options), ...floorOf(cli, options) });
  if (out.isJson) return out.json(withProject(cli, reply));
  const { summary, memories, warnings } = Recalled.parse(reply);
  out.line(plainText(summary, { keepsLines: true }));
  // What a summary quotes with its id is not said twice.
  const others = memories.filter(({ id }) => !summary.includes(id));
  if (others.length > 0) out.line("");
  out.table(others, columnsOf(out, { scored: true }));
  const left = isFloored(options) && memories.length === 0 ? "--all shows what hardly answers." : null;
  await tell(cli, { rows: memories, warnings, options, left });
}

/** What a memory must score for an answer that somebody reads; a program is told what the server tells. */
function floorOf({ out }: Cli, options: FindOptions): { min_score?: number } {
  if (out.isJson || options.minScore !== undefined) return {};
  return { min_score: options.all ? 0 : LEAST_SUMMED_UP };
}

interface Telling {
  readonly rows: readonly Row[];
  readonly warnings: z.infer<typeof Warnings>;
  readonly options: FindOptions;
  /** What was left out as it hardly answers, and how it is seen; null for nothing. */
  readonly left: string | null;
}

/** What a person should know beside the rows: warnings of the reply, where nothing was found what to do, and where was looked. */
async function tell(cli: Cli, { rows, warnings, options, left }: Telling): Promise<void> {
  const { out } = cli;
  const isEverywhere = options.allProjects === true;
  for (const { message } of warnings ?? []) out.note(message);
  const nothing = left === null ? "Nothing was found." : `Nothing known speaks of that. ${left}`;
  if (rows.length > 0 && left !== null) out.note(left);
  if (rows.length === 0) out.note(`${nothing} ${isEverywhere ? "`cairn list` shows what there is." : wayOn(cli)}`);
  if (!isEverywhere) await tellUnknown(cli);
  tellScope(cli, isEverywhere);
}

/** Where nothing was found, what else may be looked at. */
const wayOn = ({ project }: Cli): string =>
  project
    ? "--all-projects looks at all projects."
    : "`cairn list` shows what there is; --all-projects looks at all projects.";
