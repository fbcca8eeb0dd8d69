import { existsSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "./packages.ts";
import type { Target } from "./targets.ts";
import { archOf, nodePlatform, osOf } from "./targets.ts";

/** Native files the executable carries, named as their packages ship them. */
interface Platform {
  /** Libraries that must lie beside the binding for it to load. */
  readonly runtimeLibraries: readonly string[];
  readonly vectorExtension: string;
}

const BINDING = "onnxruntime_binding.node";
const PLATFORMS: Readonly<Record<string, Platform>> = {
  linux: { runtimeLibraries: ["libonnxruntime.so.1"], vectorExtension: "vec0.so" },
  darwin: { runtimeLibraries: ["libonnxruntime.1.dylib"], vectorExtension: "vec0.dylib" },
  win32: { runtimeLibraries: ["onnxruntime.dll"], vectorExtension: "vec0.dll" },
};

/** Absolute paths. */
export interface NativeFiles {
  readonly runtime: readonly string[];
  readonly vectorExtension: string;
}

/** The native files of a target. Throws when a package carries none for it. */
export function nativeFiles(target: Target): NativeFiles {
  const platform = PLATFORMS[nodePlatform(target)];
  if (!platform) throw new Error(`No native files are known for ${target}.`);
  const runtimeFolder = join(packageFolder("onnxruntime-node"), "bin", "napi-v6", nodePlatform(target), archOf(target));
  const runtime = [...platform.runtimeLibraries, BINDING].map((name) => join(runtimeFolder, name));
  const vectorExtension = join(packageFolder(`sqlite-vec-${target}`), platform.vectorExtension);
  for (const path of [...runtime, vectorExtension])
    if (!existsSync(path)) throw new Error(`Nothing can be built for ${target}: its package carries no ${path}.`);
  return { runtime, vectorExtension };
}

/** The runtime of Bun that an executable for a target begins with. */
export const bunRuntime = (target: Target): string =>
  join(
    packageFolder(`@oven/bun-${osOf(target)}-${archOf(target).replace("arm64", "aarch64")}`),
    "bin",
    osOf(target) === "windows" ? "bun.exe" : "bun",
  );
