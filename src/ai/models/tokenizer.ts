import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AutoTokenizer, env, type PreTrainedTokenizer } from "@xenova/transformers";
import type { ModelInput } from "../worker/protocol.ts";

/** One input as the network reads it. */
export interface TokenRow {
  /** Token numbers, special tokens included. */
  readonly ids: readonly number[];
  /** Where the second of two texts begins; the length of `ids` when there is one text. */
  readonly second: number;
  /** Where the first turn begins, and where each turn ends; empty without turns. */
  readonly bounds: readonly number[];
}

const FILES = ["tokenizer.json", "tokenizer_config.json"];

/** By the content of their files: models of one vocabulary share some six megabytes and 40 ms. */
const opened = new Map<string, Promise<PreTrainedTokenizer>>();

/** The tokenizer of a model folder; nothing is ever fetched. */
export function openTokenizer(folder: string): Promise<PreTrainedTokenizer> {
  env.allowRemoteModels = false;
  env.localModelPath = dirname(folder);
  const content = FILES.map((name) => Bun.hash(readFileSync(join(folder, name)))).join();
  const known = opened.get(content) ?? AutoTokenizer.from_pretrained(basename(folder));
  opened.set(content, known);
  return known;
}

/** The tokens of one input, cut to a limit. */
export function encode(tokenizer: PreTrainedTokenizer, { text, pair, turns }: ModelInput, limit: number): TokenRow {
  if (turns !== undefined) return encodeTurns(tokenizer, [text, ...turns], limit);
  return pair === undefined ? encodeOne(tokenizer, text, limit) : encodePair(tokenizer, [text, pair], limit);
}

function encodeOne(tokenizer: PreTrainedTokenizer, text: string, limit: number): TokenRow {
  const ids = cut(tokenizer.encode(text, null), limit);
  return { ids, second: ids.length, bounds: [] };
}

/** Both texts with their closing token, the opening one once; of the longer text, tokens are dropped until both fit. */
function encodePair(tokenizer: PreTrainedTokenizer, texts: readonly [string, string], limit: number): TokenRow {
  const [first, [, ...second]] = [tokenizer.encode(texts[0], null), tokenizer.encode(texts[1], null)];
  const kept = cut(first, Math.max(Math.floor(limit / 2), limit - second.length));
  return { ids: [...kept, ...cut(second, limit - kept.length)], second: kept.length, bounds: [] };
}

/** All as one text. If that is too long, each turn loses what is beyond its share, and what is before them its beginning. */
function encodeTurns(tokenizer: PreTrainedTokenizer, texts: readonly string[], limit: number): TokenRow {
  const [opening = 0, ...rest] = tokenizer.encode("", null);
  const room = limit - 1 - rest.length;
  const [before = [], ...all] = texts.map((text) => tokenizer.encode(text, null).slice(1, -1));
  const share = lengthOf(all) > room ? Math.floor(room / all.length) : room;
  const turns = all.map((ids) => ids.slice(0, share));
  const left = before.slice(Math.max(0, before.length - (room - lengthOf(turns))));
  let end = 1 + left.length;
  const bounds = [end, ...turns.map(({ length }) => (end += length))];
  const ids = [opening, ...left, ...turns.flat(), ...rest];
  return { ids, second: ids.length, bounds };
}

const lengthOf = (all: readonly (readonly number[])[]): number => all.reduce((sum, { length }) => sum + length, 0);

/** Keeps the closing special token, which the tokenizer's own truncation drops. */
function cut(ids: readonly number[], limit: number): readonly number[] {
  return ids.length <= limit ? ids : [...ids.slice(0, limit - 1), ...ids.slice(-1)];
}
