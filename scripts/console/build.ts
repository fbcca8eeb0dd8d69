// Builds the console into one page that needs no other file. Usage: bun scripts/console/build.ts

import { gzipSync } from "node:zlib";
import { consolePage } from "./page.ts";

const OUTFILE = "src/http/console/page.built";

const page = await consolePage();
await Bun.write(OUTFILE, page);
console.log(`${OUTFILE}: ${kilobytes(Buffer.byteLength(page))}, compressed ${kilobytes(gzipSync(page).byteLength)}`);

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
