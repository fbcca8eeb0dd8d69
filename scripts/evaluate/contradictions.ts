// Usage: bun scripts/evaluate/contradictions.ts [--url URL] [--embedder onnx|hash] [--last N] PAIRS.jsonl...
//
// How well a server finds contradictions, over HTTP. A line is {older, newer, label}; `conflict` and `update` should be flagged, all
// else should not. Each pair has an agent and a fleet of its own; it counts as flagged when the newer memory supersedes the older and
// the older is conflicted or outdated; a pair that the server refuses to store counts nowhere and is told. --last takes only that
// many pairs from the end of each file. Prints a table, then a line of JSON a set.
import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { CallLocal } from "../../src/cli/call.ts";
import { Refused } from "../../src/cli/call.ts";
import { Memory, MemoryDetail } from "../../src/core/schema/memory.ts";
import { markdownTable } from "../markdown.ts";
import { onServer, share, untilSettled } from "./client.ts";
import type { LabelledPair } from "./labelled-pairs.ts";
import { count, emptyTally, figuresOf, isWanted, readPairs } from "./labelled-pairs.ts";

/** Two statements of one millisecond have no order. */
const MOMENT_MS = 5;

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { url: { type: "string" }, embedder: { type: "string" }, last: { type: "string" } },
});
if (files.length === 0 || (options.last !== undefined && !(Number(options.last) > 0))) {
  console.error("Name at least one set, such as test/http/fixtures/contradictions-blind.jsonl; --last takes a number.");
  process.exit(2);
}

interface Written {
  readonly pair: LabelledPair;
  readonly older: string;
  readonly newer: string;
}

const rows: (string | number)[][] = [];
const lines: object[] = [];
for (const file of files) {
  const pairs = readPairs(file).slice(options.last === undefined ? 0 : -Number(options.last));
  const { tally, refused } = await onServer(options, (call) => measure(call, pairs));
  const figures = { pairs: pairs.length - refused, refused, ...figuresOf(tally) };
  const { f1, precision, recall, false_alarm_rate } = figures;
  const percent = `${(100 * false_alarm_rate).toFixed(1)} %`;
  rows.push([basename(file), figures.pairs, ...[f1, precision, recall].map(share), percent]);
  lines.push({ set: basename(file), ...figures });
}
console.log(markdownTable(["Set", "pairs", "F1", "precision", "recall", "false alarms"], rows));
for (const line of lines) console.log(JSON.stringify(line));

async function measure(call: CallLocal, pairs: readonly LabelledPair[]) {
  const run = crypto.randomUUID();
  const written: Written[] = [];
  for (const [index, pair] of pairs.entries()) {
    const place = { agent_id: `${run}-${index}`, fleet_id: `${run}-${index}`, write_mode: "strong" };
    const write = async (content: string) => Memory.parse(await call("POST", "/memories", { ...place, content })).id;
    try {
      const older = await write(pair.older);
      await Bun.sleep(MOMENT_MS);
      written.push({ pair, older, newer: await write(pair.newer) });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      console.error(`Pair ${index + 1} was refused: ${error.message}`);
    }
  }
  await untilSettled(call);
  const tally = emptyTally();
  for (const one of written) count(tally, isWanted(one.pair), await isFlagged(call, one));
  return { tally, refused: pairs.length - written.length };
}

async function isFlagged(call: CallLocal, { older, newer }: Written): Promise<boolean> {
  const read = async (id: string) => MemoryDetail.parse(await call("GET", `/memories/${id}`));
  const [before, after] = [await read(older), await read(newer)];
  return after.supersedes_id === older && (before.status === "conflicted" || before.status === "outdated");
}
