import { parseArgs } from "node:util";
import { compile } from "./build/compile.ts";

// Usage: bun scripts/build.ts [--entry src/main.ts] [--outfile dist/cairn] [--no-bytecode] [--no-minify]

const { values } = parseArgs({
  options: {
    entry: { type: "string", default: "src/main.ts" },
    outfile: { type: "string", default: "dist/cairn" },
    bytecode: { type: "boolean", default: true },
    minify: { type: "boolean", default: true },
  },
  allowNegative: true,
});
const path = await compile(values);
console.log(`${path}: ${(Bun.file(path).size / 1e6).toFixed(1)} MB`);
