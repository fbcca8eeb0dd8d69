import { runInNode } from "./browser/node.ts";

// Usage: bun scripts/screenshots.ts
//
// Takes a picture of each page of the console, light and dark, of a server filled with made-up memories: docs/console/*.png.

process.exitCode = await runInNode("scripts/browser/screenshots.ts", [process.execPath, "src/main.ts"]);
