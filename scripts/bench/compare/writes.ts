import { STANDALONE_TENANT } from "../../../src/access/resolve.ts";
import { BULK_MAX } from "../../../src/core/schema/memory.ts";
import { untilEmbedded, untilQuiet } from "../load/checks.ts";
import type { BenchServer } from "../server.ts";
import type { MadeUpRow } from "../text.ts";
import { createAuthor } from "../text.ts";
import { CLIENTS, named } from "./searches.ts";
import type { Figure, Pair, Scene, Side } from "./sides.ts";
import { figure, forBoth, inTurns } from "./sides.ts";

/** Other texts than those of the folder. */
const WRITE_SEED = 1_000_003;
const TURNS = 2;
/** Batches of a turn: what they leave to be embedded is waited for. */
const BATCHES = 3;
/** Memories that are written at once to see how long they take to be understood, by the embedder. */
const BACKLOG: Readonly<Record<string, number>> = { onnx: 300, hash: 2_000 };
const BACKLOG_TURNS = 2;

const writeOne = (server: BenchServer, row: MadeUpRow) =>
  server.call("POST", "/memories", { tenant_id: STANDALONE_TENANT, ...row });
const writeBatch = (server: BenchServer, items: readonly MadeUpRow[]) =>
  server.call("POST", "/memories/bulk", { tenant_id: STANDALONE_TENANT, items });

/** Memories one by one and by the hundred; what they leave to be done is waited for between the turns. */
export async function compareWrites({ servers, folders, seconds }: Scene): Promise<Figure[]> {
  const rows: Pair<RowSource> = [rowSource(WRITE_SEED), rowSource(WRITE_SEED)];
  const settle = (side: Side) => quiet(folders[side]);
  const figures: Figure[] = [];
  for (const clients of CLIENTS) {
    const options = { clients, turns: TURNS, seconds, settle };
    figures.push(
      ...(await inTurns(`write one, ${named(clients)}`, options, (side) => writeOne(servers[side], rows[side].one()))),
    );
  }
  const options = { clients: 1, turns: TURNS, seconds, callsMax: BATCHES, settle };
  const bulk = await inTurns("write 100", options, (side) => writeBatch(servers[side], rows[side].take(BULK_MAX)));
  return [...figures, ...bulk];
}

/** How many memories a second get their vectors, and how many are understood, when many are written at once. */
export async function compareBacklogs({ servers, folders, embedder }: Scene): Promise<Figure[]> {
  const count = BACKLOG[embedder] ?? BULK_MAX;
  const rows: Pair<RowSource> = [rowSource(2 * WRITE_SEED), rowSource(2 * WRITE_SEED)];
  const took: Pair<{ embedded: number; understood: number }> = [
    { embedded: 0, understood: 0 },
    { embedded: 0, understood: 0 },
  ];
  for (let turn = 0; turn < BACKLOG_TURNS; turn++) {
    await forBoth(async (side) => {
      const startedAt = performance.now();
      for (let i = 0; i < count; i += BULK_MAX) await writeBatch(servers[side], rows[side].take(BULK_MAX));
      await finished(untilEmbedded(folders[side]));
      took[side].embedded += performance.now() - startedAt;
      await quiet(folders[side]);
      took[side].understood += performance.now() - startedAt;
    });
  }
  const rate = (ms: number) => (BACKLOG_TURNS * count * 1_000) / ms;
  return [
    figure("rows embedded/s", [rate(took[0].embedded), rate(took[1].embedded)]),
    figure("rows understood/s", [rate(took[0].understood), rate(took[1].understood)]),
  ];
}

/** Resolves when a server has no work left. Throws when it does not get on with it. */
export const quiet = (folder: string): Promise<void> => finished(untilQuiet(folder));

async function finished(waiting: Promise<number>): Promise<void> {
  if (!Number.isFinite(await waiting)) throw new Error("A server came to a standstill with work left.");
}

interface RowSource {
  one(): MadeUpRow;
  take(count: number): MadeUpRow[];
}

/** Rows without end, no two alike: a twin would be refused. */
function rowSource(seed: number): RowSource {
  const author = createAuthor(seed);
  const stock: MadeUpRow[] = [];
  let number = 0;
  const numbered = (row: MadeUpRow): MadeUpRow => ({ ...row, content: `${row.content} Noted as ${seed}-${number++}.` });
  const take = (count: number): MadeUpRow[] => {
    while (stock.length < count) stock.push(...author.rows(BULK_MAX).map(numbered));
    return stock.splice(0, count);
  };
  return { take, one: () => take(1)[0] ?? { content: "", run_id: null } };
}
