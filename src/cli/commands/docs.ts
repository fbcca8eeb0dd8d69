import type { Command } from "commander";
import { z } from "zod";
import { escapedJson } from "../../core/kernel/quoting/unseen.ts";
import type { CallLocal } from "../call.ts";
import type { Cli, CliFactory, CommonOptions } from "../connect.ts";
import { readStandardInput } from "../input.ts";
import { plainText } from "../output.ts";
import { alone, group, scoped } from "../program.ts";
import { hinting } from "../refusal.ts";
import { sayProject, withProject } from "../scope.ts";
import { UsageError } from "../usage.ts";
import { countOf, queryOf } from "./memory/flags.ts";

interface DocsOptions extends CommonOptions {
  readonly all?: boolean;
  readonly collection?: string;
  readonly limit?: string;
  readonly top?: string;
}

/** Documents are kept without a model, and searched with one. */
const NEEDS = { noModel: true };
const LIMIT: readonly [number, number] = [1, 1_000];
const LISTED = 50;
const TOP: readonly [number, number] = [1, 50];

/** `cairn docs`: JSON documents under a collection and an id. */
export function addDocs(program: Command, cli: CliFactory): void {
  const docs = group(program, "docs", "JSON documents under a collection and an id");
  alone(docs, scoped, (options: DocsOptions) => cli.use(options, (one) => collections(one, options), NEEDS));
  scoped(docs.command("collections"), "cairn docs collections")
    .description("collections, and how many documents each holds")
    .option("--all", "those of Cairn's own, too: rules and the like")
    .action((options: DocsOptions) => cli.use(options, (one) => collections(one, options), NEEDS));
  scoped(docs.command("list"), "cairn docs list plans")
    .description("documents of a collection")
    .argument("<collection>")
    .option("--limit <1..1000>", `how many; ${LISTED} unless given`)
    .action((name: string, options: DocsOptions) => cli.use(options, (one) => list(one, name, options), NEEDS));
  scoped(docs.command("get"), "cairn docs get plans launch")
    .description("one document")
    .argument("<collection>")
    .argument("<id>")
    .action((name: string, id: string, options: DocsOptions) => cli.use(options, (one) => get(one, name, id), NEEDS));
  scoped(docs.command("put"), `cairn docs put plans launch '{"summary":"Launch plan","day":"Friday"}'`)
    .description("write a document, the whole of it")
    .argument("<collection>")
    .argument("<id>")
    .argument("<json>", "its data; - reads it from standard input")
    .action((name: string, id: string, json: string, options: DocsOptions) =>
      cli.use(options, (one) => put(one, { name, id, json }), { save: true }),
    );
  scoped(docs.command("rm"), "cairn docs rm plans launch")
    .description("delete a document")
    .argument("<collection>")
    .argument("<id>")
    .action((name: string, id: string, options: DocsOptions) =>
      cli.use(options, (one) => remove(one, name, id), NEEDS),
    );
  scoped(docs.command("search"), 'cairn docs search "how do we launch?"')
    .description("find documents by meaning and words")
    .argument("<query>", "a question or keywords", queryOf)
    .option("--collection <name>", "only of this collection")
    .option("--top <1..50>", "how many")
    .action((query: string, options: DocsOptions) => cli.use(options, (one) => search(one, query, options)));
}

const Doc = z.object({
  collection: z.string(),
  doc_id: z.string(),
  data: z.looseObject({}),
  updated_at: z.string().optional(),
});
type Doc = z.infer<typeof Doc>;
const pathOf = ({ tenant_id }: Cli, collection: string, id: string): string =>
  `/api/v1/documents/${encodeURIComponent(id)}?${new URLSearchParams({ tenant_id, collection })}`;

/**
 * The project that narrows what is read: only one that was named. A document has its address in the whole tenant, so that the
 * folder somebody stands in hides none.
 */
const narrowing = ({ project }: Cli): { fleet_id?: string } =>
  project?.source === "argument" ? { fleet_id: project.id } : {};

async function collections(cli: Cli, { all = false }: DocsOptions): Promise<void> {
  const { call, out, tenant_id } = cli;
  const query = new URLSearchParams({ tenant_id, ...narrowing(cli) });
  const reply = await call("GET", `/api/v1/documents/collections?${query}`);
  if (out.isJson) return out.json(withProject(cli, reply));
  const { collections: found } = z
    .object({ collections: z.array(z.object({ name: z.string(), count: z.int() })) })
    .parse(reply);
  const items = all ? found : found.filter(({ name }) => !name.startsWith("_"));
  if (items.length === 0) return out.note("No documents yet. `cairn docs put COLLECTION ID JSON` writes one.");
  out.table(items, [
    { title: "COLLECTION", value: ({ name }) => plainText(name) },
    { title: "DOCUMENTS", value: ({ count }) => String(count), isRight: true },
  ]);
}

async function list(cli: Cli, collection: string, options: DocsOptions): Promise<void> {
  const { call, out, tenant_id } = cli;
  const limit = countOf("--limit", options.limit, LIMIT) ?? LISTED;
  const query = new URLSearchParams({ tenant_id, collection, limit: String(limit), ...narrowing(cli) });
  const reply = await call("GET", `/api/v1/documents?${query}`);
  if (out.isJson) return out.json(reply);
  const items = z.array(Doc).parse(reply);
  show(cli, items);
  if (items.length === limit) out.note(`The first ${limit}; --limit shows more, ${LIMIT[1]} at most.`);
}

function show({ out }: Cli, items: readonly Doc[]): void {
  if (items.length === 0) out.note("There is none. `cairn docs collections` shows what there is.");
  out.table(items, [
    { title: "COLLECTION", value: ({ collection }) => plainText(collection) },
    { title: "ID", value: ({ doc_id }) => plainText(doc_id) },
    { title: "DATA", value: ({ data }) => escapedJson(JSON.stringify(data)), isWide: true },
  ]);
}

const docCalls = ({ call }: Cli, collection: string): CallLocal =>
  hinting(call, `\`cairn docs list ${plainText(collection)}\` shows those there are.`);

async function get(cli: Cli, collection: string, id: string): Promise<void> {
  const reply = await docCalls(cli, collection)("GET", pathOf(cli, collection, id));
  if (cli.out.isJson) return cli.out.json(withProject(cli, reply));
  cli.out.line(escapedJson(JSON.stringify(Doc.parse(reply).data, null, 2)));
}

async function put(cli: Cli, { name, id, json }: { name: string; id: string; json: string }): Promise<void> {
  const { call, out, project, tenant_id, agent_id } = cli;
  const data = objectOf(json === "-" ? await readStandardInput() : json);
  const body = {
    tenant_id,
    collection: name,
    doc_id: id,
    data,
    fleet_id: project?.id,
    agent_id: agent_id ?? undefined,
  };
  const reply = await call("POST", "/api/v1/documents", body);
  if (out.isJson) return out.json(withProject(cli, reply));
  out.line(id);
  const { fleet_id, indexed } = z.object({ fleet_id: z.string().nullable(), indexed: z.boolean() }).parse(reply);
  if (project) out.note(`${sayProject(project)}.`);
  else out.note(fleet_id === null ? "For every project." : `Project ${plainText(fleet_id)}, where it belongs already.`);
  if (!indexed) out.note("Read by its id and in lists; `cairn docs search` finds one that has a `summary`.");
}

/** An object of JSON that somebody wrote. Throws UsageError. */
function objectOf(text: string): Record<string, unknown> {
  const example = `A document is an object of JSON, such as '{"summary":"Launch plan"}'.`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`That is no JSON (${error instanceof Error ? error.message : error}). ${example}`);
  }
  const object = z.record(z.string(), z.unknown()).safeParse(value);
  if (!object.success) throw new UsageError(example);
  return object.data;
}

async function remove(cli: Cli, collection: string, id: string): Promise<void> {
  await docCalls(cli, collection)("DELETE", pathOf(cli, collection, id));
  if (cli.out.isJson) return cli.out.json(withProject(cli, { deleted: true, collection, doc_id: id }));
  cli.out.line(id);
}

async function search(cli: Cli, query: string, { collection, top }: DocsOptions): Promise<void> {
  const { call, out, tenant_id } = cli;
  const body = { tenant_id, query, collection, top_k: countOf("--top", top, TOP), ...narrowing(cli) };
  const reply = await call("POST", "/api/v1/documents/search", body);
  if (out.isJson) return out.json(withProject(cli, reply));
  show(cli, z.object({ results: z.array(Doc) }).parse(reply).results);
}
