import { resolve } from "node:path";
import { embedPlugin } from "./embed-plugin.ts";

export interface CompileOptions {
  readonly entry: string;
  readonly outfile: string;
  /** Parse at build time: a faster start for a slightly larger file. */
  readonly bytecode?: boolean;
  readonly minify?: boolean;
}

const ROOT = resolve(import.meta.dir, "../..");
const MODEL_WORKER = resolve(ROOT, "src/ai/worker/worker.ts");
const CHECKPOINT_WORKER = resolve(ROOT, "src/storage/sqlite/engine/checkpoint-worker.ts");
const CHECK_WORKER = resolve(ROOT, "src/storage/sqlite/integrity/worker.ts");
const SCAN_WORKER = resolve(ROOT, "src/skills/scan/worker.ts");

/** Compiles an entry point, the workers, models and native libraries into one executable; returns its path. */
export async function compile({ entry, outfile, bytecode = true, minify = true }: CompileOptions): Promise<string> {
  const target = resolve(ROOT, outfile);
  const result = await Bun.build({
    entrypoints: [resolve(ROOT, entry), MODEL_WORKER, CHECKPOINT_WORKER, CHECK_WORKER, SCAN_WORKER],
    root: ROOT,
    target: "bun",
    format: "esm",
    bytecode,
    minify,
    // Keeps folders, so that embedded model files are found by the same relative paths as in the repository.
    naming: { asset: "[dir]/[name].[ext]" },
    plugins: [
      embedPlugin({
        root: ROOT,
        modelWorker: MODEL_WORKER,
        checkpointWorker: CHECKPOINT_WORKER,
        checkWorker: CHECK_WORKER,
        scanWorker: SCAN_WORKER,
      }),
    ],
    compile: { outfile: target },
  });
  for (const line of result.logs) console.warn(String(line));
  return target;
}
