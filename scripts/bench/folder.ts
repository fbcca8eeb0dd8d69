import { tmpdir } from "node:os";
import { resolvePrincipal, STANDALONE_TENANT } from "../../src/access/resolve.ts";
import { openModels } from "../../src/ai/open.ts";
import type { App } from "../../src/app.ts";
import { createApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config/load.ts";
import { DAY_MS, systemClock } from "../../src/core/kernel/clock.ts";
import { silentLogger } from "../../src/core/kernel/log.ts";
import type { Ctx } from "../../src/core/ports/context.ts";
import type { Embedder } from "../../src/core/ports/embedder.ts";
import { BULK_MAX } from "../../src/core/schema/memory.ts";
import { writeMemories } from "../../src/memories/bulk.ts";
import type { Overrides } from "../../src/startup/overrides.ts";
import type { Author } from "./text.ts";
import { createAuthor } from "./text.ts";

/** Texts that the model itself embeds for a folder; the other vectors are mixtures of two of theirs. */
const MODEL_TEXTS = 1_000;
/** How far the first of two vectors prevails in a mixture. */
const MIXTURE_SHARE = 0.7;
/** The rows of a folder are spread over this many days up to now. */
export const AGE_DAYS = 90;
export const ROW_SEED = 7;

/** No config file of the machine may change what is measured. */
const HERMETIC = { XDG_CONFIG_HOME: "/nonexistent" };
/** Limits are for strangers; a bench is as fast as it can. */
export const UNLIMITED = ["--rate-writes=0", "--rate-bulk=0", "--rate-searches=0", "--rate-reads=0"];

/** An app inside this process, not yet listening; without a folder it keeps everything in memory. */
export async function openApp(
  folder: string | null,
  overrides: Overrides = {},
  flags: readonly string[] = [],
): Promise<App> {
  const place = folder === null ? "--ephemeral" : `--data=${folder}`;
  const config = await loadConfig(HERMETIC, [place, "--port=0", ...UNLIMITED, ...flags]);
  return createApp(config, silentLogger, overrides);
}

/** What a verb receives when the machine's own user calls. */
export const ctxOf = async ({ services }: App): Promise<Ctx> => ({
  ...services,
  principal: await resolvePrincipal(services, new Headers()),
  door: "http",
});

/** Writes made-up rows into a data folder through the verbs themselves, with a stand-in for the model. */
export async function fillFolder(folder: string, count: number, embedder: Embedder): Promise<void> {
  const rows = createAuthor(ROW_SEED).rows(count);
  let written = 0;
  const clock = { now: () => systemClock.now() - AGE_DAYS * DAY_MS * (1 - written / count) };
  const app = await openApp(folder, { clock, embedder });
  const ctx = await ctxOf(app);
  for (; written < count; written += BULK_MAX) {
    const items = rows.slice(written, written + BULK_MAX).map((row) => ({ ...row }));
    await writeMemories(ctx, { body: { tenant_id: STANDALONE_TENANT, items }, attempt_id: null, refused: new Map() });
    await app.runner.drain();
  }
  await app.stop();
}

/** Answers like the model, at once: with mixtures of vectors that the model gave made-up texts. */
export async function mixtureEmbedder(author: Author): Promise<Embedder> {
  const { embedder } = openModels("onnx", { cacheDir: tmpdir() });
  const mixtures = await mixturesOf(embedder, author);
  await embedder.close();
  return mixtures;
}

async function mixturesOf(model: Embedder, author: Author): Promise<Embedder> {
  const texts = author.rows(MODEL_TEXTS).map(({ content }) => content);
  const vectors = await model.embed(texts, { role: "passage", priority: "background" });
  const vectorFor = (hash: number): Float32Array => vectors[hash % MODEL_TEXTS] ?? new Float32Array(model.dimensions);
  return {
    ...model,
    state: () => ({ phase: "ready", ready_ms: 0 }),
    ready: async () => undefined,
    embed: async (asked) =>
      asked.map((text) => mixture(vectorFor(Bun.hash.xxHash32(text, 1)), vectorFor(Bun.hash.xxHash32(text, 2)))),
    close: async () => undefined,
  };
}

function mixture(a: Float32Array, b: Float32Array): Float32Array {
  const mixed = a.map((value, i) => MIXTURE_SHARE * value + (1 - MIXTURE_SHARE) * (b[i] ?? 0));
  const norm = Math.hypot(...mixed);
  return mixed.map((value) => value / norm);
}
