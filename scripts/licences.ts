import { collect, written } from "./licences/collect.ts";

// Usage: bun scripts/licences.ts
//
// Writes down the terms of everything of others that the executable holds: packages, models, runtime. `cairn licenses` shows it.

const parts = await collect();
await Bun.write("src/cli/licences.txt", written(parts));
console.log(`${parts.length} works.`);
