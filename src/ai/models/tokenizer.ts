import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { AutoTokenizer, env, type PreTrainedTokenizer } from "@xenova/transformers";
import { withoutLongRuns } from "../../core/kernel/text.ts";
import type { ModelInput } from "../worker/protocol.ts";
import { legibility } from "./legibility.ts";
import type { TextTokenizer } from "./text-tokenizer.ts";
import { unigramEncoder } from "./unigram.ts";
import { hasVocabulary, readVocabulary } from "./unigram-vocabulary.ts";

/** One input as the network reads it. */
export interface TokenRow {
  /** Token numbers, special tokens included. */
  readonly ids: readonly number[];
  /** Where the second of two texts begins; the length of `ids` when there is one text. */
  readonly second: number;
  /** Where the first turn begins, and where each turn ends; empty without turns. */
  readonly bounds: readonly number[];
  /** Of the text, and of each turn, by how many more of its letters are known than not; below zero for what cannot be read. Not asked of pairs. */
  readonly known: readonly number[];
}

const FILES = ["tokenizer.json", "tokenizer_config.json"];
/** Pieces and their probabilities, where `tokenizer.json` has none: of 250,000 it would make maps of some 200 megabytes. */
const VOCABULARY_FILE = "vocabulary.bin";

/** By the content of their files: models of one vocabulary share some six megabytes and 40 ms. */
const opened = new Map<string, Promise<TextTokenizer>>();

/** The tokenizer of a model folder; nothing is ever fetched. */
export function openTokenizer(folder: string): Promise<TextTokenizer> {
  env.allowRemoteModels = false;
  env.localModelPath = dirname(folder);
  const content = FILES.map((name) => Bun.hash(readFileSync(join(folder, name)))).join();
  const known = opened.get(content) ?? openFrom(folder);
  opened.set(content, known);
  return known;
}

async function openFrom(folder: string): Promise<TextTokenizer> {
  const frame = await AutoTokenizer.from_pretrained(basename(folder));
  const vocabulary = join(folder, VOCABULARY_FILE);
  if (hasVocabulary(vocabulary)) return unigramTokenizer(frame, vocabulary);
  return { encode: (text) => frame.encode(text, null), unknown: frame.unk_token_id };
}

/** Normalises, splits into words and adds special tokens as the frame says; the pieces of words are found here. */
function unigramTokenizer(frame: PreTrainedTokenizer, path: string): TextTokenizer {
  const vocabulary = readVocabulary(path);
  const piecesOf = unigramEncoder(vocabulary);
  const [opening = 0, closing = 0] = frame.encode("", null);
  const normalize = (text: string) => withoutLongRuns(text, (part) => frame.normalizer(part));
  return {
    encode: (text) => [opening, ...piecesOf(frame.pre_tokenizer(normalize(text))), closing],
    unknown: vocabulary.unknown,
  };
}

/** The tokens of one input, cut to a limit. */
export function encode(tokenizer: TextTokenizer, input: ModelInput, limit: number): TokenRow {
  const row = cutRow(tokenizer, input, limit);
  const hasUnknown = row.ids.includes(tokenizer.unknown);
  const texts = input.pair === undefined ? [input.text, ...(input.turns ?? [])] : [];
  return { ...row, known: texts.map((text) => legibility(tokenizer, text, hasUnknown)) };
}

type CutRow = Omit<TokenRow, "known">;

function cutRow(tokenizer: TextTokenizer, { lead = "", text: own, pair, turns }: ModelInput, limit: number): CutRow {
  const text = lead + own;
  if (turns !== undefined) return encodeTurns(tokenizer, [text, ...turns], limit);
  return pair === undefined ? encodeOne(tokenizer, text, limit) : encodePair(tokenizer, [text, pair], limit);
}

function encodeOne(tokenizer: TextTokenizer, text: string, limit: number): CutRow {
  const ids = cut(tokenizer.encode(text), limit);
  return { ids, second: ids.length, bounds: [] };
}

/** Both texts with their closing token, the opening one once; of the longer text, tokens are dropped until both fit. */
function encodePair(tokenizer: TextTokenizer, texts: readonly [string, string], limit: number): CutRow {
  const [first, [, ...second]] = [tokenizer.encode(texts[0]), tokenizer.encode(texts[1])];
  const kept = cut(first, Math.max(Math.floor(limit / 2), limit - second.length));
  return { ids: [...kept, ...cut(second, limit - kept.length)], second: kept.length, bounds: [] };
}

/** All as one text. If that is too long, each turn loses what is beyond its share, and what is before them its beginning. */
function encodeTurns(tokenizer: TextTokenizer, texts: readonly string[], limit: number): CutRow {
  const [opening = 0, ...rest] = tokenizer.encode("");
  const room = limit - 1 - rest.length;
  const [before = [], ...all] = texts.map((text) => tokenizer.encode(text).slice(1, -1));
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
