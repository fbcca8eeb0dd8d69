// Usage: bun scripts/evaluate/retirements.ts [--url URL] [--stores NAME,...] [--notes FILE --labels FILE] [--show]
//
// What a store of notes takes for no longer true, over HTTP: each store of test/relevance/stores.ts, or one of your own, is written
// in the order of time into a fleet of its own; once all was compared, a note is retired that is outdated or conflicted. Wanted
// are older notes of sure pairs whose extent is whole; those of parts and of unsure pairs count neither way; any other
// retired note is a wrong one. The last columns count notes that may have changed, too. Prints a table with the sum of what is only
// reported, then a line of JSON a store.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { CallLocal } from "../../src/cli/call.ts";
import { ContradictionsReply } from "../../src/core/schema/contradiction.ts";
import { Memory } from "../../src/core/schema/memory.ts";
import type { LabelledStore } from "../../test/relevance/stores.ts";
import { Retirements, STORES, Store } from "../../test/relevance/stores.ts";
import { markdownTable } from "../markdown.ts";
import { onServer, share, untilSettled } from "./client.ts";

const { values: options } = parseArgs({
  options: {
    url: { type: "string" },
    stores: { type: "string" },
    notes: { type: "string" },
    labels: { type: "string" },
    show: { type: "boolean", default: false },
  },
});

interface Tally {
  readonly notes: number;
  readonly wanted: number;
  readonly found: number;
  readonly wrong: number;
  readonly found_or_possible: number;
  readonly wrong_or_possible: number;
}

const tallies: { readonly name: string; readonly is_reported: boolean; readonly tally: Tally }[] = [];
for (const one of chosen()) {
  const tally = await onServer({ url: options.url }, (call) => measure(call, one));
  tallies.push({ name: one.store.name, is_reported: one.is_reported, tally });
}
const sums = (["reported", "others"] as const).flatMap((name) => {
  const own = tallies.filter(({ is_reported }) => is_reported === (name === "reported"));
  return own.length < 2 ? [] : [{ name: `all ${name}`, tally: sumOf(own.map(({ tally }) => tally)) }];
});
const lines = [...tallies, ...sums].map(({ name, tally }) => ({ name, ...tally, ...figuresOf(tally) }));
console.log(
  markdownTable(
    [
      ...["Store", "notes", "wanted", "found", "wrong", "precision", "recall", "wrong per 1,000"],
      ...["precision with possible", "recall with possible"],
    ],
    lines.map(({ name, notes, wanted, found, wrong, precision, recall, wrong_per_1000, with_possible }) => [
      ...[name, notes, wanted, found, wrong],
      ...[share(precision), share(recall), wrong_per_1000.toFixed(1)],
      ...[share(with_possible.precision), share(with_possible.recall)],
    ]),
  ),
);
for (const line of lines) console.log(JSON.stringify(line));

/** The stores to measure. Throws for names of none. */
function chosen(): readonly LabelledStore[] {
  const { notes, labels, stores } = options;
  if (notes !== undefined && labels !== undefined) {
    const { name, memories } = Store.loose().parse(readJson(notes));
    const retirements = Retirements.parse(readJson(labels));
    // Of a file of several groups those that have labels.
    const groups = new Set([...retirements.pairs, ...retirements.traps].map(({ older }) => older.split("/")[0]));
    const store = { name, memories: memories.filter(({ group }) => groups.has(group)) };
    return [{ store, retirements, is_reported: true }];
  }
  const names = stores?.split(",");
  const found = STORES.filter(({ store }) => names?.includes(store.name) ?? true);
  if (found.length === 0) throw new Error(`There is no such store. Known are ${STORES.map((one) => one.store.name)}.`);
  return found;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

async function measure(call: CallLocal, { store, retirements }: LabelledStore): Promise<Tally> {
  const run = crypto.randomUUID();
  const ids = new Map<string, string>();
  for (const { ref, group, run: run_id, text } of store.memories) {
    const place = { agent_id: `${run}-${group}`, fleet_id: `${run}-${group}`, run_id, write_mode: "strong" };
    ids.set(ref, Memory.parse(await call("POST", "/memories", { ...place, content: text })).id);
  }
  await untilSettled(call);
  const verdictOf = judged(retirements);
  const verdicts: Verdict[] = [];
  const withPossible: Verdict[] = [];
  for (const { ref, text } of store.memories) {
    const reply = await call("GET", `/memories/${ids.get(ref)}/contradictions`);
    const { status, contradictions, possible_conflicts } = ContradictionsReply.parse(reply);
    const isRetired = status === "outdated" || status === "conflicted";
    const verdict = verdictOf(ref, isRetired);
    const newer = [...contradictions, ...possible_conflicts].filter(({ direction }) => direction === "superseded_by");
    verdicts.push(verdict);
    withPossible.push(verdictOf(ref, isRetired || newer.length > 0));
    if (!options.show || (verdict !== "missed" && verdict !== "wrong")) continue;
    const by = newer.map(({ content_preview, confidence, rule }) => `${rule} ${confidence}: ${content_preview}`);
    console.log([`${verdict} ${ref}: ${text}`, ...by].join("\n    "));
  }
  const count = (verdict: Verdict, of = verdicts): number => of.filter((one) => one === verdict).length;
  const [found, missed, wrong] = [count("found"), count("missed"), count("wrong")];
  return {
    ...{ notes: store.memories.length, wanted: found + missed, found, wrong },
    found_or_possible: count("found", withPossible),
    wrong_or_possible: count("wrong", withPossible),
  };
}

type Verdict = "found" | "missed" | "wrong" | "neither";

/** Tells of a note and whether it was retired what that is. */
function judged({ pairs }: Retirements): (ref: string, isRetired: boolean) => Verdict {
  const labelled = new Set(pairs.map(({ older }) => older));
  const sure = pairs.filter(({ extent, sure, also }) => extent === "whole" && sure && !also);
  const wanted = new Set(sure.map(({ older }) => older));
  return (ref, isRetired) => {
    if (wanted.has(ref)) return isRetired ? "found" : "missed";
    return isRetired && !labelled.has(ref) ? "wrong" : "neither";
  };
}

function sumOf(all: readonly Tally[]): Tally {
  const sum = (of: keyof Tally): number => all.reduce((so_far, tally) => so_far + tally[of], 0);
  return {
    ...{ notes: sum("notes"), wanted: sum("wanted"), found: sum("found"), wrong: sum("wrong") },
    ...{ found_or_possible: sum("found_or_possible"), wrong_or_possible: sum("wrong_or_possible") },
  };
}

function figuresOf({ notes, wanted, found, wrong, found_or_possible, wrong_or_possible }: Tally) {
  return {
    with_possible: {
      precision: found_or_possible / (found_or_possible + wrong_or_possible || 1),
      recall: found_or_possible / (wanted || 1),
    },
    precision: found / (found + wrong || 1),
    recall: found / (wanted || 1),
    wrong_per_1000: (1_000 * wrong) / notes,
  };
}
