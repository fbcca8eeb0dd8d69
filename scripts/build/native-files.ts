import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Native files the executable carries, named as their packages ship them. */
interface Platform {
  /** Libraries that must lie beside the binding for it to load. */
  readonly runtimeLibraries: readonly string[];
  readonly vectorExtension: string;
}

const BINDING = "onnxruntime_binding.node";
const LINUX = { runtimeLibraries: ["libonnxruntime.so.1.14.0"], vectorExtension: "vec0.so" };
const DARWIN = { runtimeLibraries: ["libonnxruntime.1.14.0.dylib"], vectorExtension: "vec0.dylib" };
const WINDOWS = {
  runtimeLibraries: ["onnxruntime.dll", "onnxruntime_providers_shared.dll"],
  vectorExtension: "vec0.dll",
};

const PLATFORMS: Readonly<Record<string, Platform>> = {
  "linux-x64": LINUX,
  "linux-arm64": LINUX,
  "darwin-x64": DARWIN,
  "darwin-arm64": DARWIN,
  "win32-x64": WINDOWS,
};

const require = createRequire(import.meta.url);

/** Absolute paths of the native files of the platform the build runs on. */
export function nativeFiles(): { runtime: string[]; vectorExtension: string } {
  const key = `${process.platform}-${process.arch}`;
  const platform = PLATFORMS[key];
  if (!platform)
    throw new Error(`No native files are known for ${key}; known are ${Object.keys(PLATFORMS).join(", ")}.`);
  const packageRoot = dirname(dirname(require.resolve("onnxruntime-node")));
  const runtimeFolder = join(packageRoot, "bin", "napi-v3", process.platform, process.arch);
  const os = process.platform === "win32" ? "windows" : process.platform;
  return {
    runtime: [...platform.runtimeLibraries, BINDING].map((name) => join(runtimeFolder, name)),
    vectorExtension: require.resolve(`sqlite-vec-${os}-${process.arch}/${platform.vectorExtension}`),
  };
}
