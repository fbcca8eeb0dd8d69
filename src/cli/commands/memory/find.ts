import type { Command } from "commander";
import { z } from "zod";
import type { Cli, CliFactory, CommonOptions } from "../../connect.ts";
import { plainText } from "../../output.ts";
import { scoped } from "../../program.ts";
import { columnsOf, countOf, FIELDS, momentOf, Row, shareOf, tellProject } from "./rows.ts";

interface FindOptions extends CommonOptions {
  readonly explain?: boolean;
  readonly top?: string;
  readonly asOf?: string;
  readonly type?: string;
  readonly status?: string;
  readonly minScore?: string;
  readonly allProjects?: boolean;
}

const TOP: readonly [number, number] = [1, 20];

/** `cairn search` and `cairn recall`. */
export function addFind(program: Command, cli: CliFactory): void {
  asking(scoped(program.command("search"), 'cairn search "when do we release?" --explain'))
    .description("find memories by meaning, words and names")
    .option("--explain", "say why each row is there: the parts of its score, and the reasons")
    .action((query: string, options: FindOptions) => cli.use(options, (one) => search(one, query, options)));
  asking(scoped(program.command("recall"), 'cairn recall "who signs off design changes?"'))
    .description("an answer put together from memories, with the rows that it rests on")
    .action((query: string, options: FindOptions) => cli.use(options, (one) => recall(one, query, options)));
}

const asking = (command: Command): Command =>
  command
    .argument("<query>", "a question or keywords")
    .option("--top <1..20>", "how many rows")
    .option("--as-of <date>", "what held at that time")
    .option("--type <type>", "only this type")
    .option("--status <status>", "only this status; outdated rows are left out unless asked for")
    .option("--min-score <0..1>", "leave out what is less likely to answer")
    .option("--all-projects", "whatever project it is of");

const bodyOf = ({ project, tenant_id, agent_id }: Cli, query: string, options: FindOptions) => ({
  tenant_id,
  query,
  top_k: countOf("--top", options.top, TOP),
  valid_at: momentOf("--as-of", options.asOf),
  memory_type: options.type,
  status: options.status,
  min_score: shareOf("--min-score", options.minScore),
  caller_agent_id: agent_id,
  fields: FIELDS.split(","),
  ...(project && !options.allProjects ? { fleet_ids: [project.name] } : {}),
});

const Warnings = z.array(z.object({ message: z.string() })).nullable();
const Found = z.object({ items: z.array(Row), warnings: Warnings });

async function search(cli: Cli, query: string, options: FindOptions): Promise<void> {
  const { call, out, project } = cli;
  const reply = await call("POST", "/api/v1/search", bodyOf(cli, query, options));
  if (out.isJson) return out.json({ ...z.looseObject({}).parse(reply), project: project?.name ?? null });
  const { items, warnings } = Found.parse(reply);
  if (options.explain) for (const [i, row] of items.entries()) out.line(explained(cli, row, i + 1));
  else out.table(items, columnsOf(cli, { scored: true }));
  tell(cli, { isEmpty: items.length === 0, warnings, options });
}

/** A row with the parts of its score as bars, and its reasons. */
function explained({ out }: Cli, row: Row, place: number): string {
  const parts = Object.entries(row.score_parts ?? {}).filter(([, value]) => value !== 0);
  const bars = parts.map(([name, value]) => `   ${name.padEnd(15)} ${value.toFixed(2).padStart(6)} ${bar(value)}`);
  return [
    `${out.style("bold", `${place}. ${plainText(row.content)}`)}`,
    `   ${[row.score?.toFixed(2), out.date(row.ts_valid_start ?? row.created_at), row.memory_type, row.status, row.fleet_id ?? "", row.id].filter(Boolean).join("  ")}`,
    `   ${plainText(row.why ?? "")}`,
    ...bars,
  ].join("\n");
}

const BAR = 20;
const bar = (value: number): string => "▇".repeat(Math.round(Math.min(1, Math.abs(value)) * BAR));

const Recalled = z.object({ summary: z.string(), memories: z.array(Row), warnings: Warnings });

async function recall(cli: Cli, query: string, options: FindOptions): Promise<void> {
  const { call, out, project } = cli;
  const reply = await call("POST", "/api/v1/recall", bodyOf(cli, query, options));
  if (out.isJson) return out.json({ ...z.looseObject({}).parse(reply), project: project?.name ?? null });
  const { summary, memories, warnings } = Recalled.parse(reply);
  out.line(plainText(summary, { keepsLines: true }));
  if (out.isTerminal && memories.length > 0) out.line("");
  if (out.isTerminal) out.table(memories, columnsOf(cli, { scored: true }));
  tell(cli, { isEmpty: memories.length === 0, warnings, options });
}

function tell(
  cli: Cli,
  { isEmpty, warnings, options }: { isEmpty: boolean; warnings: z.infer<typeof Warnings>; options: FindOptions },
): void {
  for (const { message } of warnings ?? []) cli.out.note(message);
  const isWide = options.allProjects === true || cli.project === null;
  if (isEmpty)
    cli.out.note(
      isWide
        ? "Nothing was found. `cairn list` shows what there is."
        : "Nothing was found. --all-projects looks beyond this one.",
    );
  if (!isWide) tellProject(cli, "");
}
