// Usage: bun scripts/evaluate/contradictions.ts [--url URL] PAIRS.jsonl...
//
// How well a server finds contradictions, over HTTP. A line is {older, newer, label}; `conflict` and `update` should be flagged, all
// else should not. Each pair has an agent and a fleet of its own; it counts as flagged when the newer memory supersedes the older and
// the older is conflicted or outdated. Prints a table, then a line of JSON a set.
import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { Evaluated } from "./client.ts";
import { evaluated, markdownTable, share } from "./client.ts";
import type { LabelledPair } from "./labelled-pairs.ts";
import { isWanted, readPairs } from "./labelled-pairs.ts";

/** Longest wait for the detector to look at one memory, in milliseconds. */
const CHECK_LIMIT_MS = 60_000;

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { url: { type: "string" } },
});
if (files.length === 0) {
  console.error("Name at least one set, such as test/http/fixtures/contradictions-blind.jsonl.");
  process.exit(2);
}

interface Written {
  readonly pair: LabelledPair;
  readonly older: string;
  readonly newer: string;
}

const server = await evaluated(options.url);
const rows: (string | number)[][] = [];
const lines: object[] = [];
try {
  for (const file of files) {
    const tally = await evaluate(server, readPairs(file), `${basename(file, ".jsonl")}-${Date.now().toString(36)}`);
    const precision = tally.hit / Math.max(1, tally.hit + tally.alarm);
    const recall = tally.hit / Math.max(1, tally.hit + tally.missed);
    const f1 = (2 * precision * recall) / Math.max(Number.EPSILON, precision + recall);
    const alarms = tally.alarm / Math.max(1, tally.alarm + tally.quiet);
    const n = tally.hit + tally.missed + tally.alarm + tally.quiet;
    rows.push([basename(file), n, share(f1), share(precision), share(recall), `${(100 * alarms).toFixed(1)} %`]);
    lines.push({ set: basename(file), pairs: n, refused: tally.refused, f1, precision, recall, false_alarms: alarms });
  }
} finally {
  await server.stop();
}
console.log(markdownTable(["Set", "pairs", "F1", "precision", "recall", "false alarms"], rows));
for (const line of lines) console.log(JSON.stringify(line));

async function evaluate({ call }: Evaluated, pairs: readonly LabelledPair[], run: string) {
  const tally = { hit: 0, missed: 0, alarm: 0, quiet: 0, refused: 0 };
  const written: Written[] = [];
  for (const [index, pair] of pairs.entries()) {
    const place = { agent_id: `${run}-${index}`, fleet_id: `${run}-${index}`, write_mode: "strong" };
    const write = (content: string) => call<{ id: string }>("POST", "/memories", { ...place, content });
    try {
      const older = await write(pair.older);
      // Two statements of one millisecond have no order.
      await Bun.sleep(5);
      written.push({ pair, older: older.id, newer: (await write(pair.newer)).id });
    } catch (error) {
      console.error(String(error));
      tally.refused++;
    }
  }
  for (const one of written) {
    const flagged = await isFlagged(call, one);
    if (isWanted(one.pair)) tally[flagged ? "hit" : "missed"]++;
    else tally[flagged ? "alarm" : "quiet"]++;
  }
  return tally;
}

async function isFlagged(call: Evaluated["call"], { older, newer }: Written): Promise<boolean> {
  const limit = performance.now() + CHECK_LIMIT_MS;
  const checkedAt = async () =>
    (await call<{ checked_at: string | null }>("GET", `/memories/${newer}/contradictions`)).checked_at;
  while ((await checkedAt()) === null) {
    if (performance.now() > limit) throw new Error(`${newer} was not looked at within ${CHECK_LIMIT_MS} ms.`);
    await Bun.sleep(100);
  }
  const before = await call<{ status: string }>("GET", `/memories/${older}`);
  const after = await call<{ supersedes_id: string | null }>("GET", `/memories/${newer}`);
  return after.supersedes_id === older && ["conflicted", "outdated"].includes(before.status);
}
