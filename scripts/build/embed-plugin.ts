import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { zstdCompressSync } from "node:zlib";
import type { BunPlugin } from "bun";
import { listModels, MANIFEST_NAME, readManifest } from "../../src/ai/models/files.ts";
import { ModelManifest } from "../../src/ai/models/manifest.ts";
import { WORD_VECTORS_FILE } from "../../src/ai/models/word-vectors.ts";
import type { NativeFiles } from "./native-files.ts";

export interface EmbedOptions {
  /** Root of the repository: the paths of embedded files inside the executable are relative to it. */
  readonly root: string;
  /** Of the platform that is built for. */
  readonly native: NativeFiles;
  /** Folder for files that are made for the build; whoever made it takes it away. */
  readonly scratch: string;
  /** Told of each file that goes into the executable as it is. */
  embeds(path: string): void;
  readonly modelWorker: string;
  readonly checkpointWorker: string;
  readonly checkWorker: string;
  readonly backupWorker: string;
  readonly scanWorker: string;
  readonly loadWorker: string;
  readonly searchWorker: string;
  /** The compiled scan of the vector index. */
  readonly scan: string;
}

const NOTHING = "module.exports = {};";
/** Files above this are carried compressed: networks and libraries, not what is read at every start. */
const LARGE_BYTES = 2_000_000;
/** What is read in parts where it lies, and would hardly get smaller. */
const READ_IN_PLACE: readonly string[] = [WORD_VECTORS_FILE];

/** Puts native libraries and model files into the executable, and packages it cannot use out of it. */
export function embedPlugin(options: EmbedOptions): BunPlugin {
  const { root, native, checkpointWorker, checkWorker, backupWorker, scanWorker, loadWorker, searchWorker, scan } =
    options;
  const fileImport = (name: string, path: string): string => {
    options.embeds(resolve(path));
    return `import ${name} from ${JSON.stringify(resolve(path))} with { type: "file" };`;
  };
  return {
    name: "embed",
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/]ai[\\/]assets\.ts$/ }, () => ({
        loader: "ts",
        contents: assetsModule(options, fileImport),
      }));
      build.onLoad({ filter: /[\\/]src[\\/]storage[\\/]sqlite[\\/]engine[\\/]checkpoint-url\.ts$/ }, () => ({
        loader: "ts",
        contents: `export const checkpointWorkerUrl = ${urlOf(root, checkpointWorker)};`,
      }));
      build.onLoad({ filter: /[\\/]src[\\/]storage[\\/]sqlite[\\/]integrity[\\/]worker-url\.ts$/ }, () => ({
        loader: "ts",
        contents: `export const checkWorkerUrl = ${urlOf(root, checkWorker)};`,
      }));
      build.onLoad({ filter: /[\\/]sqlite[\\/]backup[\\/]worker-url\.ts$/ }, () => ({
        loader: "ts",
        contents: `export const backupWorkerUrl = ${urlOf(root, backupWorker)};`,
      }));
      build.onLoad({ filter: /[\\/]src[\\/]skills[\\/]scan[\\/]worker-url\.ts$/ }, () => ({
        loader: "ts",
        contents: `export const scanWorkerUrl = ${urlOf(root, scanWorker)};`,
      }));
      build.onLoad({ filter: /[\\/]search-threads[\\/]worker-url\.ts$/ }, () => ({
        loader: "ts",
        contents: `export const searchWorkerUrl = ${urlOf(root, searchWorker)};`,
      }));
      build.onLoad({ filter: /[\\/]vector-index[\\/]load-worker-url\.ts$/ }, () => ({
        loader: "ts",
        contents: `export const loadWorkerUrl = ${urlOf(root, loadWorker)};`,
      }));
      build.onLoad({ filter: /[\\/]vector-index[\\/]scan-url\.ts$/ }, () => ({
        loader: "ts",
        contents: `${fileImport("path", scan)}\nexport const scanUrl = Bun.pathToFileURL(path).href;`,
      }));
      build.onLoad({ filter: /[\\/]sqlite-vec[\\/]index\.[cm]js$/ }, () => ({
        loader: "ts",
        contents: `${fileImport("path", native.vectorExtension)}\nexport const getLoadablePath = () => path;`,
      }));
      build.onLoad({ filter: /[\\/]onnxruntime-node[\\/]dist[\\/]binding\.js$/ }, () => ({
        loader: "js",
        contents: bindingModule(join(root, "src/ai/worker/native-runtime.ts")),
      }));
      // The runtime for browsers and the image library: transformers.js imports both, text on a server needs neither.
      build.onLoad({ filter: /[\\/](onnxruntime-web|sharp)[\\/]/ }, () => ({ loader: "js", contents: NOTHING }));
    },
  };
}

/** Code that imports a file of the executable under a name. */
type FileImport = (name: string, path: string) => string;

/** The compiled form of src/ai/assets.ts. */
function assetsModule(
  { root, modelWorker, native: { runtime }, scratch }: EmbedOptions,
  fileImport: FileImport,
): string {
  const models = join(root, "models");
  const modelFiles = listModels(models).flatMap((id) => filesOf(join(models, id)));
  const staged = modelFiles.map((path) => stage(path, join(scratch, relative(root, path))));
  const libraries = runtime.map((path) => stage(path, join(scratch, basename(path))));
  const imports = [...libraries, ...staged].map((path, index) => fileImport(`file${index}`, path));
  const described = runtime.map((path, index) => `{ ...${JSON.stringify(describe(path))}, path: file${index} }`);
  const modelNames = modelFiles.map((_, index) => `file${runtime.length + index}`);
  return `${imports.join("\n")}
import { fileURLToPath } from "node:url";
export const modelsRoot = fileURLToPath(${urlText(root, join(scratch, "models"))});
export const embeddedModelFiles = [${modelNames.join(", ")}];
export const runtimeFiles = [${described.join(", ")}];
export const workerUrl = ${urlOf(root, modelWorker)};
`;
}

/** Code for an address inside the executable, which keeps the repository's paths. */
const urlText = (root: string, path: string): string => `new URL("./${relative(root, path)}", import.meta.url)`;
const urlOf = (root: string, entry: string): string => `${urlText(root, entry)}.href`;

const filesOf = (folder: string): string[] =>
  [MANIFEST_NAME, ...Object.keys(readManifest(folder, ModelManifest).files)].map((name) => join(folder, name));

/** Copies a file to where it is embedded from, compressed if it is large, for the size of the executable; returns the path. */
function stage(path: string, copy: string): string {
  const content = readFileSync(path);
  const isLarge = content.length > LARGE_BYTES && !READ_IN_PLACE.includes(basename(path));
  const target = isLarge ? `${copy}.zst` : copy;
  mkdirSync(dirname(copy), { recursive: true });
  writeFileSync(target, isLarge ? zstdCompressSync(content) : content);
  return target;
}

function describe(path: string): { name: string; bytes: number; sha256: string } {
  const content = readFileSync(path);
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { name: basename(path), bytes: content.byteLength, sha256 };
}

/**
 * Loads the unpacked library at the first session rather than at import, when its folder is not known yet. The package's
 * own module asks for the list of backends while it is imported; the executable carries what computes on processors. A
 * thread that sets the runtime up twice ends the process.
 */
const bindingModule = (runtimeModule: string): string => `
const { nativeBinding } = require(${JSON.stringify(runtimeModule)});
const { Tensor } = require("onnxruntime-common");
const WARNING = 2;
exports.binding = {
  listSupportedBackends: () => [{ name: "cpu", bundled: true }],
  get InferenceSession() { return nativeBinding().InferenceSession; },
};
let isSet = false;
exports.initOrt = () => {
  if (!isSet) nativeBinding().initOrtOnce(WARNING, Tensor, Bun.isMainThread);
  isSet = true;
};`;
