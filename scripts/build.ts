import { parseArgs } from "node:util";
import { compile } from "./build/compile.ts";
import { hostTarget, osOf, TARGETS, targetNamed } from "./build/targets.ts";

// Usage: bun scripts/build.ts [--target linux-x64,linux-arm64,darwin-arm64,windows-x64|all] [--entry src/main.ts]
//          [--outfile dist/cairn] [--no-bytecode] [--no-minify]
//
// Without a target: dist/cairn for this machine. With targets: dist/cairn-TARGET each; npm fetches the native files and the
// runtime of other platforms, at the versions and digests of package-lock.json. What is built is looked through, not run.

const { values } = parseArgs({
  options: {
    target: { type: "string" },
    entry: { type: "string", default: "src/main.ts" },
    outfile: { type: "string", default: "dist/cairn" },
    bytecode: { type: "boolean", default: true },
    minify: { type: "boolean", default: true },
  },
  allowNegative: true,
});
const named = values.target?.split(",").flatMap((name) => (name === "all" ? TARGETS : [targetNamed(name)]));
for (const target of named ?? [hostTarget()]) {
  const ending = osOf(target) === "windows" ? ".exe" : "";
  const outfile = `${values.outfile}${named ? `-${target}` : ""}${ending}`;
  try {
    const path = await compile({ ...values, target, outfile });
    console.log(`${path}: ${(Bun.file(path).size / 1e6).toFixed(1)} MB`);
  } catch (error) {
    // The others can be built all the same.
    console.error(`${target}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
