import { collect, listed, written } from "./licences/collect.ts";

// Usage: bun scripts/licences.ts
//
// Writes down the terms of everything of others that the executable holds: packages, models, runtime. `cairn licenses` shows the
// whole of it, THIRD_PARTY.md lists it.

const parts = await collect();
await Bun.write("src/cli/licences.txt", written(parts));
await Bun.write("THIRD_PARTY.md", listed(parts));
console.log(`${parts.length} works.`);
