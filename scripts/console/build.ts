// Builds the console into one compressed page that needs no other file. Usage: bun scripts/console/build.ts

import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { consolePage } from "./page.ts";

const OUTFILE = "src/http/console/page.built";

const page = await consolePage();
const compressed = brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: page.length } });
await Bun.write(OUTFILE, compressed);
const sizes = {
  html: Buffer.byteLength(page),
  br: compressed.byteLength,
  gzip: gzipSync(page, { level: 9 }).byteLength,
};
console.log(
  `${OUTFILE}: ${Object.entries(sizes)
    .map(([form, bytes]) => `${form} ${(bytes / 1000).toFixed(1)} kB`)
    .join(", ")}`,
);
