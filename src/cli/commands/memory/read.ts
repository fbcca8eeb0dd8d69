import type { Command } from "commander";
import { z } from "zod";
import { MemoryDetail } from "../../../schema/memory.ts";
import type { Cli, CliFactory, CommonOptions } from "../../connect.ts";
import { plainText } from "../../output.ts";
import { scoped } from "../../program.ts";
import { columnsOf, countOf, FIELDS, momentOf, Row, tellProject, wholeId } from "./rows.ts";

interface ListOptions extends CommonOptions {
  readonly type?: string;
  readonly status?: string;
  readonly writtenBy?: string;
  readonly after?: string;
  readonly before?: string;
  readonly sort?: string;
  readonly limit?: string;
  readonly all?: boolean;
  readonly allProjects?: boolean;
  readonly deleted?: boolean;
}

const LIMIT: readonly [number, number] = [1, 500];
const PAGE_DEFAULT = 20;

/** `cairn list` and `cairn get`. */
export function addRead(program: Command, cli: CliFactory): void {
  scoped(program.command("list"), "cairn list --type decision --after 2026-01-01")
    .description("memories by what is known of them, newest first")
    .option("--type <type>", "only this type")
    .option("--status <status>", "only this status")
    .option("--written-by <agent>", "only of this author")
    .option("--after <date>", "written after")
    .option("--before <date>", "written before")
    .option("--sort <field>", "created_at, weight, memory_type, agent_id, status or recall_count")
    .option("--limit <1..500>", `rows of a page; ${PAGE_DEFAULT} unless given`)
    .option("--all", "all pages")
    .option("--all-projects", "whatever project it is of")
    .option("--deleted", "deleted ones too")
    .action((options: ListOptions) => cli.use(options, (one) => list(one, options), { noModel: true }));
  scoped(program.command("get"), "cairn get 01890a5d-ac96")
    .description("one memory with all its fields")
    .argument("<id>", "its id, or the beginning of it")
    .action((id: string, options: CommonOptions) => cli.use(options, (one) => get(one, id), { noModel: true }));
}

const Page = z.object({ items: z.array(z.looseObject({})), next_cursor: z.string().nullable() });

async function list(cli: Cli, options: ListOptions): Promise<void> {
  const { out, project } = cli;
  const { items, next } = await pages(cli, queryFor(cli, options), options.all === true);
  if (out.isJson) return out.json({ items, next_cursor: next, project: project?.name ?? null });
  out.table(
    items.map((item) => Row.parse(item)),
    columnsOf(cli),
  );
  if (items.length === 0) out.note('Nothing fits. `cairn add "..."` writes a memory.');
  if (next !== null) out.note(`The newest ${items.length}; --all shows all, --limit more at a time.`);
  if (!options.allProjects && project) tellProject(cli, "");
}

function queryFor({ out, project, tenant_id }: Cli, options: ListOptions): URLSearchParams {
  const limit = countOf("--limit", options.limit, LIMIT) ?? (options.all ? LIMIT[1] : PAGE_DEFAULT);
  const asked = {
    tenant_id,
    limit: String(limit),
    fields: out.isJson ? undefined : FIELDS,
    memory_type: options.type,
    status: options.status,
    written_by: options.writtenBy,
    created_after: momentOf("--after", options.after),
    created_before: momentOf("--before", options.before),
    sort: options.sort,
    fleet_id: options.allProjects ? undefined : project?.name,
    include_deleted: options.deleted ? "true" : undefined,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) query.set(name, value);
  return query;
}

/** One page, or all of them; and where the next one begins. */
async function pages({ call }: Cli, query: URLSearchParams, all: boolean) {
  const items: Record<string, unknown>[] = [];
  let next: string | null = null;
  do {
    if (next !== null) query.set("cursor", next);
    const page: z.infer<typeof Page> = Page.parse(await call("GET", `/api/v1/memories?${query}`));
    items.push(...page.items);
    next = page.next_cursor;
  } while (all && next !== null);
  return { items, next };
}

const SHOWN = [
  "memory_type",
  "status",
  "weight",
  "visibility",
  "fleet_id",
  "agent_id",
  "created_at",
  "ts_valid_start",
  "ts_valid_end",
  "expires_at",
  "deleted_at",
  "source_uri",
  "supersedes_id",
  "recall_count",
] as const;

async function get(cli: Cli, written: string): Promise<void> {
  const { call, out, tenant_id } = cli;
  const id = await wholeId(cli, written);
  const reply = await call("GET", `/api/v1/memories/${id}?${new URLSearchParams({ tenant_id })}`);
  if (out.isJson) return out.json(reply);
  const memory = MemoryDetail.parse(reply);
  out.line(plainText(memory.content, { keepsLines: true }));
  const fields = SHOWN.flatMap((name) => {
    const value = memory[name];
    if (value === null || value === "") return [];
    const text =
      name.endsWith("_at") || name.startsWith("ts_")
        ? `${value}${out.isTerminal ? ` (${out.date(String(value))})` : ""}`
        : String(value);
    return [`${name.padEnd(15)} ${plainText(text)}`];
  });
  out.line(
    [
      "",
      `${"id".padEnd(15)} ${memory.id}`,
      ...fields,
      ...(memory.metadata ? [`${"metadata".padEnd(15)} ${plainText(JSON.stringify(memory.metadata))}`] : []),
    ].join("\n"),
  );
}
