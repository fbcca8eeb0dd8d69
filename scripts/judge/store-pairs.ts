// Usage: bun scripts/judge/store-pairs.ts OUT.jsonl [STORE,...] [--notes FILE --labels FILE | --pairs FILE]
//
// The pairs that the notes of labelled stores (test/relevance/stores.ts, or one of your own) are compared as, each with what the
// decision goes by and what became of it: what fit-decision.ts fits. Nothing is retired meanwhile. With --pairs
// each labelled pair of a file is a store of its own, of two notes. A line:
// {store, older, newer, label, likeness, signals}; label: whole, part, unsure, trap or none.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { STANDALONE_TENANT } from "../../src/access/resolve.ts";
import { nearPairs, readRow } from "../../src/conflicts/find-pairs.ts";
import type { Judgements } from "../../src/conflicts/judge.ts";
import { judgePairs, pairKey } from "../../src/conflicts/judge.ts";
import { likenessOf, signalsOf } from "../../src/conflicts/signals.ts";
import type { Ctx } from "../../src/core/ports/context.ts";
import { linkEntities } from "../../src/entities/link.ts";
import { writeMemory } from "../../src/memories/write.ts";
import type { LabelledStore } from "../../test/relevance/stores.ts";
import { Retirements, STORES, Store } from "../../test/relevance/stores.ts";
import { ctxOf, openApp } from "../bench/folder.ts";
import { isWanted, readPairs } from "../evaluate/labelled-pairs.ts";

const { values, positionals } = parseArgs({
  options: { notes: { type: "string" }, labels: { type: "string" }, pairs: { type: "string" } },
  allowPositionals: true,
});
const [out, names] = positionals;
if (out === undefined) throw new Error("Name the file to write.");
const DETECTOR = { agent_id: null, auth_source: "detector" };
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

writeFileSync(out, "");
const app = await openApp(null);
const ctx = await ctxOf(app);
await ctx.embedder.ready();
for (const one of chosen()) {
  const lines = await pairsOf(ctx, one);
  appendFileSync(out, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  console.log(one.store.name, lines.length);
}
process.exit(0);

function chosen(): LabelledStore[] {
  const { notes, labels, pairs } = values;
  if (pairs !== undefined) return [storeOf(pairs)];
  if (notes === undefined || labels === undefined)
    return STORES.filter(({ store }) => names === undefined || names.split(",").includes(store.name));
  const { name, memories } = Store.loose().parse(readJson(notes));
  return [{ store: { name, memories }, retirements: Retirements.parse(readJson(labels)), is_reported: true }];
}

/** Labelled pairs as a store with a group for each. */
function storeOf(path: string): LabelledStore {
  const pairs = readPairs(path);
  const name = basename(path);
  const note = (i: number, n: number, text: string) => ({ ref: `${i}/${n}`, group: `${i}`, run: `${i}`, at: "", text });
  const memories = pairs.flatMap(({ older, newer }, i) => [note(i, 1, older), note(i, 2, newer)]);
  const named = pairs.map((pair, i) => ({ pair, older: `${i}/1`, newer: `${i}/2`, why: "" }));
  const [wanted, traps] = [true, false].map((is) => named.filter(({ pair }) => isWanted(pair) === is));
  const whole = { extent: "whole", sure: true } as const;
  const retirements = {
    pairs: (wanted ?? []).map(({ older, newer, why }) => ({ older, newer, why, ...whole })),
    traps: (traps ?? []).map(({ older, newer, why }) => ({ older, newer, why })),
  };
  return { store: { name, memories }, retirements, is_reported: false };
}

async function pairsOf(ctx: Ctx, { store, retirements }: LabelledStore): Promise<object[]> {
  const labelOf = labelled(retirements);
  const groups = new Set([...retirements.pairs, ...retirements.traps].map(({ older }) => older.split("/")[0]));
  const refs = new Map<string, string>();
  const run = crypto.randomUUID();
  const lines: object[] = [];
  for (const { ref, group, run: run_id, text } of store.memories.filter((note) => groups.has(note.group))) {
    const place = { agent_id: `${run}-${group}`, fleet_id: `${run}-${group}`, run_id };
    const body = { tenant_id: STANDALONE_TENANT, ...place, content: text };
    const { id } = (await writeMemory(ctx, { body, ignored: [], attempt: null })).memory;
    refs.set(id, ref);
    await linkEntities(ctx, { tenant_id: STANDALONE_TENANT, memory_ids: [id] });
    for (const row of await ctx.storage.contradictions.unchecked(STANDALONE_TENANT, [id], ctx.embedder.id)) {
      const own = readRow(row);
      const pairs = await nearPairs(ctx, own, []);
      const judgements: Judgements = new Map();
      await judgePairs(ctx, pairs, judgements, undefined);
      for (const pair of pairs) {
        const judged = judgements.get(pairKey(pair));
        const [older, newer] = [pair.older.memory, pair.newer.memory].map((memory) => refs.get(memory.id) ?? "");
        if (!judged || !older || !newer) continue;
        const { shared_words } = pair.candidate;
        lines.push({
          ...{ store: store.name, older, newer, label: labelOf(older, newer) },
          ...{ texts: [pair.older.memory.content, pair.newer.memory.content], shared_words, of: pairs.length },
          likeness: likenessOf(pair),
          signals: signalsOf(pair, judged),
        });
      }
      await ctx.storage.contradictions.record([{ memory: row.memory, claim: own.claim, findings: [] }], DETECTOR);
    }
  }
  return lines;
}

function labelled({ pairs, traps }: Retirements): (older: string, newer: string) => string {
  const key = (pair: { readonly older: string; readonly newer: string }) => `${pair.older} ${pair.newer}`;
  const labels = new Map([
    ...traps.map((trap) => [key(trap), "trap"] as const),
    ...pairs.map((pair) => [key(pair), pair.sure ? pair.extent : "unsure"] as const),
  ]);
  return (older, newer) => labels.get(key({ older, newer })) ?? "none";
}
