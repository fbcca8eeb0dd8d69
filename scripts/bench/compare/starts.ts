import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { BenchServer } from "../server.ts";
import { createAuthor } from "../text.ts";
import type { Figure, Pair, Side } from "./sides.ts";
import { figure, forBoth, percentile } from "./sides.ts";

const STARTS = 9;
const SEARCHES = 200;
const QUESTION_SEED = 31;
const POLL_MS = 20;
const INDEX_LIMIT_MS = 600_000;

/** Starts the executable of a side on a folder. */
export type StartSide = (side: Side, folder: string) => Promise<BenchServer>;

/** What one start came to; milliseconds since the process was started, megabytes. */
interface Start {
  readonly keyword: number;
  /** Null where an executable has no index in memory. */
  readonly index: number | null;
  readonly resident: number;
}

/** Starts on the folders and on empty ones: the first reply by keyword, the index in memory, memory after searches. */
export async function compareStarts(start: StartSide, folders: Pair<string>): Promise<Figure[]> {
  // The first start on a folder of an older shape brings it to the newest one, which happens once.
  const first = await forBoth((side) => startOnce(start, side, folders[side]));
  const filled = await startsOf(async (side) => startOnce(start, side, folders[side]));
  const empty = await startsOf(async (side) => {
    const folder = mkdtempSync(join(tmpdir(), "cairn-empty-"));
    try {
      return await startOnce(start, side, folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
  return [
    figure("start, very first one on the folder: first keyword reply, ms", [first[0].keyword, first[1].keyword]),
    ...figuresOf("start", filled),
    ...figuresOf("start on an empty folder", empty),
  ];
}

function figuresOf(what: string, starts: Pair<readonly Start[]>): Figure[] {
  const median = (value: (start: Start) => number | null): Pair<number | null> => {
    const of = (side: Side) => {
      const known = starts[side].flatMap((one) => value(one) ?? []);
      return known.length === 0 ? null : percentile(known, 0.5);
    };
    return [of(0), of(1)];
  };
  return [
    figure(
      `${what}: first keyword reply, ms`,
      median(({ keyword }) => keyword),
    ),
    figure(
      `${what}: index in memory ready, ms`,
      median(({ index }) => index),
    ),
    figure(
      `${what}: resident after ${SEARCHES} searches, MB`,
      median(({ resident }) => resident),
    ),
  ];
}

async function startsOf(once: (side: Side) => Promise<Start>): Promise<Pair<Start[]>> {
  const starts: Pair<Start[]> = [[], []];
  for (let i = 0; i < STARTS; i++) await forBoth(async (side) => starts[side].push(await once(side)));
  return starts;
}

async function startOnce(start: StartSide, side: Side, folder: string): Promise<Start> {
  const server = await start(side, folder);
  try {
    // By keyword: no model may make it wait.
    await server.search("where is the harbor bridge", { wait_ms: 0 });
    const keyword = server.elapsed_ms();
    const index = await indexReady(server);
    await server.modelReady();
    for (const question of createAuthor(QUESTION_SEED).questions(SEARCHES)) await server.search(question);
    return { keyword, index, resident: server.rssMb() };
  } finally {
    await server.stop();
  }
}

const Status = z.looseObject({
  search_index: z.looseObject({ state: z.string(), ready_ms: z.number().nullable() }).optional(),
});

/** When the index in memory was ready, by this side's clock; null where an executable has none. */
async function indexReady(server: BenchServer): Promise<number | null> {
  const limit = performance.now() + INDEX_LIMIT_MS;
  while (performance.now() < limit) {
    const { search_index } = Status.parse((await server.call("GET", "/status")).body);
    if (!search_index || search_index.state === "off") return null;
    if (search_index.ready_ms !== null) return server.elapsed_ms();
    await Bun.sleep(POLL_MS);
  }
  throw new Error(`The index in memory was not ready after ${INDEX_LIMIT_MS} ms.`);
}
