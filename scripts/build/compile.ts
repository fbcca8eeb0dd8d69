import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { embedPlugin } from "./embed-plugin.ts";
import { inspectExecutable } from "./inspect.ts";
import { bunRuntime, nativeFiles } from "./native-files.ts";
import type { Target } from "./targets.ts";
import { hostTarget } from "./targets.ts";

export interface CompileOptions {
  readonly entry: string;
  readonly outfile: string;
  /** The platform the build runs on unless another is named. */
  readonly target?: Target;
  /** Parse at build time: a faster start for a slightly larger file. Not for other platforms, whose Bun cannot read it. */
  readonly bytecode?: boolean;
  readonly minify?: boolean;
}

const ROOT = resolve(import.meta.dir, "../..");
const DIST = resolve(ROOT, "dist");
const MODEL_WORKER = resolve(ROOT, "src/ai/worker/worker.ts");
const CHECKPOINT_WORKER = resolve(ROOT, "src/storage/sqlite/engine/checkpoint-worker.ts");
const CHECK_WORKER = resolve(ROOT, "src/storage/sqlite/integrity/worker.ts");
const BACKUP_WORKER = resolve(ROOT, "src/storage/sqlite/backup/worker.ts");
const LOAD_WORKER = resolve(ROOT, "src/storage/sqlite/vector-index/load-worker.ts");
const SEARCH_WORKER = resolve(ROOT, "src/startup/search-threads/worker.ts");
const SCAN = resolve(ROOT, "src/storage/sqlite/vector-index/scan.wasm");
const SCAN_WORKER = resolve(ROOT, "src/skills/scan/worker.ts");

/** The executable runs in folders of strangers: the runtime takes no code, path or variable from the files that it finds there. */
const STANDALONE = {
  autoloadBunfig: false,
  autoloadDotenv: false,
  autoloadPackageJson: false,
  autoloadTsconfig: false,
} as const;

/** Compiles an entry point, the workers, models and native libraries into one executable and looks through it; returns its path. */
export async function compile(options: CompileOptions): Promise<string> {
  // Within the repository: the executable knows its files by their paths from there.
  mkdirSync(DIST, { recursive: true });
  const scratch = mkdtempSync(join(DIST, "build-"));
  try {
    return await compileWith(scratch, options);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

async function compileWith(scratch: string, options: CompileOptions): Promise<string> {
  const { entry, bytecode = true, minify = true, target = hostTarget() } = options;
  const outfile = resolve(ROOT, options.outfile);
  const isHost = target === hostTarget();
  const embedded = new Set<string>();
  const native = nativeFiles(target);
  const result = await Bun.build({
    entrypoints: [
      resolve(ROOT, entry),
      MODEL_WORKER,
      CHECKPOINT_WORKER,
      CHECK_WORKER,
      BACKUP_WORKER,
      SCAN_WORKER,
      LOAD_WORKER,
      SEARCH_WORKER,
    ],
    root: ROOT,
    target: "bun",
    format: "esm",
    // What is imported on demand is read when it is needed; what workers share is there once.
    splitting: true,
    bytecode: bytecode && isHost,
    minify,
    // Keeps folders, so that embedded model files are found by the same relative paths as in the repository.
    naming: { asset: "[dir]/[name].[ext]" },
    plugins: [
      embedPlugin({
        root: ROOT,
        native,
        scratch,
        embeds: (path) => embedded.add(path),
        modelWorker: MODEL_WORKER,
        checkpointWorker: CHECKPOINT_WORKER,
        checkWorker: CHECK_WORKER,
        backupWorker: BACKUP_WORKER,
        scanWorker: SCAN_WORKER,
        loadWorker: LOAD_WORKER,
        searchWorker: SEARCH_WORKER,
        scan: SCAN,
      }),
    ],
    // Left to itself, Bun would fetch the runtime of another platform, held to no digest.
    compile: {
      outfile,
      ...STANDALONE,
      ...(isHost ? {} : { target: `bun-${target}`, executablePath: bunRuntime(target) }),
    },
  });
  for (const line of result.logs) console.warn(String(line));
  inspectExecutable(outfile, target, { embedded: [...embedded], native: [...native.runtime, native.vectorExtension] });
  return outfile;
}
