import { Database } from "bun:sqlite";
import { join } from "node:path";
import { z } from "zod";
import { STANDALONE_TENANT } from "../../../src/access/resolve.ts";
import { agentOf, metadataOf, runOf, SHARES, SMALL_TENANT, TYPE_AND_STATUS } from "../fill/rows.ts";
import type { BenchServer } from "../server.ts";
import { createAuthor } from "../text.ts";
import type { Rows } from "./nearest.ts";
import { nearest, questionVectors } from "./nearest.ts";
import { askAll, cycle } from "./searches.ts";
import type { Figure, Pair, Scene, Side } from "./sides.ts";
import { figure, forBoth, inTurns } from "./sides.ts";

/** Proves to a server that its caller may name a tenant. */
export const GATEWAY_SECRET = "compared-in-turns";
const QUESTIONS = 30;
const QUESTION_SEED = 29;
const TOP = 10;
const TURNS = 2;

/** A search of a part of the rows, and which rows that are. */
interface Filtered extends Rows {
  readonly what: string;
  readonly tenant_id: string;
  /** Members of the request. */
  readonly body: object;
}

/** How long filtered searches take, and how many of the ten rows truly nearest to a question they find. */
export async function compareFilters(scene: Scene): Promise<Figure[]> {
  const figures: Figure[] = [];
  const questions = createAuthor(QUESTION_SEED).questions(QUESTIONS);
  const asked = await questionVectors(scene.embedder === "hash" ? "hash" : "onnx", questions);
  for (const filtered of filters(scene.source)) {
    const offered = await forBoth((side) => isOffered(scene.servers[side], filtered));
    if (!offered.some(Boolean)) continue;
    const { passing, of: truth } = nearest(scene.source, filtered, asked, TOP);
    const what = `${filtered.what} (${passing} rows)`;
    const search = (side: Side, question: string) => searchFor(scene.servers[side], filtered, question);
    await forBoth((side) => askAll(questions, (question) => search(side, question)));
    const next = [cycle(questions), cycle(questions)] as const;
    const timed = await inTurns(`search, ${what}`, { clients: 1, turns: TURNS, seconds: scene.seconds }, (side) =>
      search(side, next[side]()),
    );
    // With one client the rate says no more than the times.
    figures.push(...timed.slice(0, 2).map((line) => hideUnoffered(line, offered)));
    const recalls = await forBoth((side) => recallOf(scene.servers[side], filtered, questions, truth));
    for (const name of ["found", "shown"] as const)
      figures.push(
        hideUnoffered(figure(`nearest ten, ${what}, ${name}`, [recalls[0][name], recalls[1][name]]), offered),
      );
  }
  return figures;
}

const hideUnoffered = (line: Figure, offered: Pair<boolean>): Figure => ({
  what: line.what,
  old: offered[0] ? line.old : null,
  new: offered[1] ? line.new : null,
});

function filters(folder: string): Filtered[] {
  const one = (what: string, body: object, where: string, params: Rows["params"], tenant_id = STANDALONE_TENANT) => ({
    what,
    body,
    where: `tenant_id = ? and ${where}`,
    params: [tenant_id, ...params],
    tenant_id,
  });
  const shares = SHARES.flatMap((share) => {
    const [agent, run, since] = [agentOf(share), runOf(share), sinceFor(folder, share)];
    const { memory_type, status } = TYPE_AND_STATUS[share];
    const metadata = metadataOf(share);
    return [
      one(`by agent, ${share} %`, { filter_agent_id: agent }, "agent_id = ?", [agent]),
      one(`by type and status, ${share} %`, { memory_type, status }, "memory_type = ? and status = ?", [
        memory_type,
        status,
      ]),
      one(`by run, ${share} %`, { run_id: run }, "run_id = ?", [run]),
      one(`since, ${share} %`, { created_after: since }, "created_at >= ?", [since]),
      one(`by metadata, ${share} %`, { metadata_filter: metadata }, "metadata ->> 'share' = ?", [metadata.share]),
    ];
  });
  return [
    one("everything", {}, "true", []),
    ...shares,
    one("a small tenant behind a large one", {}, "true", [], SMALL_TENANT),
  ];
}

/** The moment since which a share of the rows was written. */
function sinceFor(folder: string, share: number): string {
  const db = new Database(join(folder, "cairn.db"), { readonly: true });
  const row = db
    .query<{ created_at: string }, [string, number, string]>(
      `select created_at from memories where tenant_id = ? order by created_at desc
       limit 1 offset (select cast(count(*) * ? / 100 as integer) from memories where tenant_id = ?)`,
    )
    .get(STANDALONE_TENANT, share, STANDALONE_TENANT);
  db.close();
  return row?.created_at ?? "";
}

function searchFor(server: BenchServer, { tenant_id, body }: Filtered, query: string, more: object = {}) {
  const headers = { "X-Gateway-Secret": GATEWAY_SECRET, "X-Tenant-ID": tenant_id };
  return server.call("POST", "/search", { tenant_id, query, top_k: TOP, ...body, ...more }, headers);
}

const Warned = z.object({ warnings: z.array(z.object({ code: z.string() })).nullable() });

/** Whether a server knows these members of a request. */
async function isOffered(server: BenchServer, filtered: Filtered): Promise<boolean> {
  const { warnings } = Warned.parse((await searchFor(server, filtered, "harbor bridge")).body);
  return !warnings?.some(({ code }) => code === "unrecognized_parameters");
}

const Found = z.object({
  items: z.array(z.object({ id: z.string() })),
  diagnostic: z.object({ all_candidates: z.array(z.object({ id: z.string() })) }),
});

/** Mean share of the truly nearest rows among what a search weighed (found), and among the ten that it returned (shown). */
async function recallOf(
  server: BenchServer,
  filtered: Filtered,
  questions: readonly string[],
  truth: ReturnType<typeof nearest>["of"],
) {
  const sum = { found: 0, shown: 0 };
  for (const [i, question] of questions.entries()) {
    const near = truth[i] ?? [];
    const { items, diagnostic } = Found.parse((await searchFor(server, filtered, question, { diagnostic: true })).body);
    const [found, shown] = [diagnostic.all_candidates, items].map((list) => new Set(list.map(({ id }) => id)));
    sum.found += shareIn(found, near);
    sum.shown += shareIn(shown, near);
  }
  const mean = (total: number): number => total / questions.length;
  return { found: mean(sum.found), shown: mean(sum.shown) };
}

const shareIn = (set: ReadonlySet<string> | undefined, ids: readonly string[]): number =>
  ids.filter((id) => set?.has(id)).length / Math.max(1, ids.length);
