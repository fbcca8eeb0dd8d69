import type { Command } from "commander";
import { z } from "zod";
import { escapedJson } from "../../../core/kernel/quoting/unseen.ts";
import { MEMORY_TYPES, MemoryDetail } from "../../../core/schema/memory.ts";
import { MEMORY_SORTS } from "../../../core/schema/memory-query.ts";
import { padTo } from "../../columns.ts";
import type { Cli, CliFactory, CommonOptions } from "../../connect.ts";
import { momentOf, validAtOf } from "../../moments.ts";
import type { Output } from "../../output.ts";
import { plainText } from "../../output.ts";
import { scoped } from "../../program.ts";
import { readerOf, seenBy, tellScope, tellUnknown, withProject } from "../../scope.ts";
import { countOf, flags, oneOf, shareOf } from "./flags.ts";
import { memoryCalls, seenAt, wholeId } from "./ids.ts";
import { columnsOf, FIELDS, Row } from "./rows.ts";

interface ListOptions extends CommonOptions {
  readonly type?: string;
  readonly exceptType?: readonly string[];
  readonly status?: string;
  readonly visibility?: string;
  readonly writtenBy?: string;
  readonly run?: string;
  readonly after?: string;
  readonly before?: string;
  readonly asOf?: string;
  readonly happenedFrom?: string;
  readonly happenedTo?: string;
  readonly weightMin?: string;
  readonly weightMax?: string;
  readonly sort?: string;
  readonly order?: string;
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
    .addOption(flags.type("only this type"))
    .addOption(oneOf("--except-type <type...>", "all but these types", MEMORY_TYPES))
    .addOption(flags.status("only this status"))
    .addOption(flags.visibility("only of this visibility"))
    .option("--written-by <agent>", "only of this author")
    .option("--run <id>", "only of this run")
    .option("--after <date>", "written then or later: 2026-03-01, or '3 days ago'")
    .option("--before <date>", "written then or earlier; a day is in it as a whole")
    .option("--happened-from <date>", "happened then or later")
    .option("--happened-to <date>", "happened then or earlier, likewise")
    .option("--as-of <date>", "what held at that time")
    .option("--weight-min <0..1>", "at least so important")
    .option("--weight-max <0..1>", "at most so important")
    .addOption(oneOf("--sort <field>", "what they are sorted by", MEMORY_SORTS))
    .addOption(oneOf("--order <order>", "the greatest first, or the least", ["desc", "asc"]))
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

const Page = z.looseObject({ items: z.array(z.looseObject({})), next_cursor: z.string().nullable() });
type Page = z.infer<typeof Page>;

async function list(cli: Cli, options: ListOptions): Promise<void> {
  const { out } = cli;
  const page = await pages(cli, queryFor(cli, options), options.all === true);
  if (out.isJson) return out.json(withProject(cli, page));
  const rows = page.items.map((item) => Row.parse(item));
  out.table(rows, columnsOf(out));
  const isNarrow = !options.allProjects;
  if (rows.length === 0)
    out.note(
      `Nothing fits. ${isNarrow ? "--all-projects looks at all projects." : '`cairn add "..."` writes a memory.'}`,
    );
  if (page.next_cursor !== null) out.note(`The first ${rows.length}; --all shows all, --limit more at a time.`);
  if (isNarrow) await tellUnknown(cli);
  tellScope(cli, options.allProjects);
}

function queryFor(cli: Cli, options: ListOptions): URLSearchParams {
  const limit = countOf("--limit", options.limit, LIMIT) ?? (options.all ? LIMIT[1] : PAGE_DEFAULT);
  const asOf = validAtOf("--as-of", options.asOf);
  const asked = {
    tenant_id: cli.tenant_id,
    agent_id: readerOf(cli),
    limit: String(limit),
    fields: cli.out.isJson ? undefined : FIELDS,
    memory_type: options.type,
    status: options.status,
    visibility: options.visibility,
    written_by: options.writtenBy,
    run_id: options.run,
    created_after: momentOf("--after", options.after, "first"),
    created_before: momentOf("--before", options.before, "last"),
    happened_from: momentOf("--happened-from", options.happenedFrom, "first"),
    happened_to: momentOf("--happened-to", options.happenedTo, "last"),
    valid_at: asOf.valid_at,
    utc_offset_minutes: asOf.utc_offset_minutes?.toString(),
    weight_min: shareOf("--weight-min", options.weightMin)?.toString(),
    weight_max: shareOf("--weight-max", options.weightMax)?.toString(),
    sort: options.sort,
    order: options.order,
    // A status of deleted ones asks for them as well.
    include_deleted: options.deleted || options.status === "deleted" ? "true" : undefined,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...asked, ...seenBy(cli, options.allProjects) }))
    if (value !== undefined) query.set(name, String(value));
  for (const type of options.exceptType ?? []) query.append("exclude_memory_types", type);
  return query;
}

/** One page, or all of them as one: a cursor goes through the default order, places through any other. */
async function pages({ call }: Cli, query: URLSearchParams, all: boolean): Promise<Page> {
  const hasCursor = (query.get("sort") ?? "created_at") === "created_at" && query.get("order") !== "asc";
  const items: Page["items"] = [];
  for (;;) {
    const page = Page.parse(await call("GET", `/api/v1/memories?${query}`));
    items.push(...page.items);
    if (!all || page.next_cursor === null) return { ...page, items };
    if (hasCursor) query.set("cursor", page.next_cursor);
    else query.set("offset", String(items.length));
  }
}

const SHOWN = [
  "title",
  "memory_type",
  "status",
  "weight",
  "visibility",
  "fleet_id",
  "agent_id",
  "run_id",
  "created_at",
  "ts_valid_start",
  "ts_valid_end",
  "expires_at",
  "deleted_at",
  "source_uri",
  "supersedes_id",
  "recall_count",
] as const;
const NAME_WIDTH = 15;

async function get(cli: Cli, written: string): Promise<void> {
  const { out } = cli;
  const id = await wholeId(cli, written);
  const reply = await memoryCalls(cli)("GET", seenAt(cli, id));
  if (out.isJson) return out.json(withProject(cli, reply));
  out.line(shownWhole(out, MemoryDetail.parse(reply)));
}

/** A memory with all that is known of it: its text, then a line a field. */
export function shownWhole(out: Output, memory: MemoryDetail): string {
  const line = (name: string, text: string): string => `${padTo(name, NAME_WIDTH)} ${plainText(text)}`;
  const fields = SHOWN.flatMap((name) => {
    const value = memory[name];
    if (value === null || value === "") return [];
    const isMoment = name.endsWith("_at") || name.startsWith("ts_");
    return [line(name, isMoment && out.isTerminal ? `${value} (${out.date(String(value))})` : String(value))];
  });
  const metadata = memory.metadata ? [line("metadata", escapedJson(JSON.stringify(memory.metadata)))] : [];
  return [plainText(memory.content, { keepsLines: true }), "", line("id", memory.id), ...fields, ...metadata].join(
    "\n",
  );
}
