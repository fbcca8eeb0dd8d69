import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import type { BunPlugin } from "bun";
import { listModels, MANIFEST_NAME, readManifest } from "../../src/ai/models/files.ts";
import { ModelManifest } from "../../src/ai/models/manifest.ts";
import { nativeFiles } from "./native-files.ts";

export interface EmbedOptions {
  /** Root of the repository: the paths of embedded files inside the executable are relative to it. */
  readonly root: string;
  readonly modelWorker: string;
  readonly checkpointWorker: string;
  readonly checkWorker: string;
  readonly scanWorker: string;
}

const NOTHING = "module.exports = {};";

/** Puts native libraries and model files into the executable, and packages it cannot use out of it. */
export function embedPlugin({ root, modelWorker, checkpointWorker, checkWorker, scanWorker }: EmbedOptions): BunPlugin {
  const native = nativeFiles();
  return {
    name: "embed",
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/]ai[\\/]assets\.ts$/ }, () => ({
        loader: "ts",
        contents: assetsModule(root, modelWorker, native.runtime),
      }));
      build.onLoad({ filter: /[\\/]src[\\/]storage[\\/]sqlite[\\/]engine[\\/]checkpoint-url\.ts$/ }, () => ({
        loader: "ts",
        contents: `export const checkpointWorkerUrl = ${urlOf(root, checkpointWorker)};`,
      }));
      build.onLoad({ filter: /[\\/]src[\\/]storage[\\/]sqlite[\\/]integrity[\\/]worker-url\.ts$/ }, () => ({
        loader: "ts",
        contents: `export const checkWorkerUrl = ${urlOf(root, checkWorker)};`,
      }));
      build.onLoad({ filter: /[\\/]src[\\/]skills[\\/]scan[\\/]worker-url\.ts$/ }, () => ({
        loader: "ts",
        contents: `export const scanWorkerUrl = ${urlOf(root, scanWorker)};`,
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

/** The compiled form of src/ai/assets.ts. */
function assetsModule(root: string, worker: string, runtime: readonly string[]): string {
  const models = join(root, "models");
  const modelFiles = listModels(models).flatMap((id) => filesOf(join(models, id)));
  const imports = [...runtime, ...modelFiles].map((path, index) => fileImport(`file${index}`, path));
  const described = runtime.map((path, index) => `{ ...${JSON.stringify(describe(path))}, path: file${index} }`);
  const modelNames = modelFiles.map((_, index) => `file${runtime.length + index}`);
  return `${imports.join("\n")}
import { fileURLToPath } from "node:url";
export const modelsRoot = fileURLToPath(new URL("./models", import.meta.url));
export const embeddedModelFiles = [${modelNames.join(", ")}];
export const runtimeFiles = [${described.join(", ")}];
export const workerUrl = ${urlOf(root, worker)};
`;
}

/** Code for the address of an entry point inside the executable, which keeps the repository's paths. */
const urlOf = (root: string, entry: string): string => `new URL("./${relative(root, entry)}", import.meta.url).href`;

const filesOf = (folder: string): string[] =>
  [MANIFEST_NAME, ...Object.keys(readManifest(folder, ModelManifest).files)].map((name) => join(folder, name));

const fileImport = (name: string, path: string): string =>
  `import ${name} from ${JSON.stringify(resolve(path))} with { type: "file" };`;

function describe(path: string): { name: string; bytes: number; sha256: string } {
  const content = readFileSync(path);
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { name: basename(path), bytes: content.byteLength, sha256 };
}

/** Loads the unpacked library at the first session rather than at import, when its folder is not known yet. */
const bindingModule = (runtimeModule: string): string => `
const { nativeBinding } = require(${JSON.stringify(runtimeModule)});
Object.defineProperty(exports, "binding", { enumerable: true, get: nativeBinding });`;
