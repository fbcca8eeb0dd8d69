import { join } from "node:path";

const BINDING_NAME = "onnxruntime_binding.node";

let folder: string | null = null;
let binding: unknown;

/** Tells the executable's build of the runtime where its libraries were unpacked. Called before the first session. */
export function useRuntimeFolder(path: string): void {
  folder = path;
}

/** The runtime's native module; scripts/build.ts puts it in place of the package's own loader. */
export function nativeBinding(): unknown {
  if (binding !== undefined) return binding;
  if (folder === null) throw new Error("The folder of the model runtime's libraries was not set.");
  const loaded: { exports: unknown } = { exports: {} };
  process.dlopen(loaded, join(folder, BINDING_NAME));
  binding = loaded.exports;
  return binding;
}
