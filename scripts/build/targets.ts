/**
 * What an executable can be built for, as Bun and sqlite-vec name it: operating system and processor. Not macOS on Intel:
 * onnxruntime-node carries no library for it.
 */
export const TARGETS = ["linux-x64", "linux-arm64", "darwin-arm64", "windows-x64"] as const;
export type Target = (typeof TARGETS)[number];

/** Node's name of an operating system, which onnxruntime-node names its folders by. */
export const nodePlatform = (target: Target): string => osOf(target).replace("windows", "win32");
export const osOf = (target: Target): string => target.split("-")[0] ?? "";
export const archOf = (target: Target): string => target.split("-")[1] ?? "";

const isTarget = (name: string): name is Target => TARGETS.some((target) => target === name);

/** The target of that name. Throws for any other. */
export function targetNamed(name: string): Target {
  if (isTarget(name)) return name;
  throw new Error(`There is no target '${name}'. There are ${TARGETS.join(", ")} and all.`);
}

/** What the build runs on. Throws where nothing can be built for it. */
export const hostTarget = (): Target =>
  targetNamed(`${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`);
