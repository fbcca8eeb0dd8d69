// Holds MCP to the protocol: the official suite, for both revisions that Cairn serves, against a server with the tools that it asks
// for. What does not apply is listed, with reasons, beside that server.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** Not a dependency: it brings 120 packages of its own, and only this script needs it. */
const SUITE = "@modelcontextprotocol/conformance";
const VERSION = "0.2.0-alpha.12";
const REVISIONS = ["2026-07-28", "2025-11-25"] as const;
const HERE = "test/mcp/conformance";

// Of this checkout: what another user has put into a shared folder would run here.
const folder = resolve(import.meta.dir, "../node_modules/.cache", `conformance-${VERSION}`);
const entry = join(folder, "node_modules", SUITE, "dist", "index.js");
const bun = process.execPath;

const run = (command: string[]): number =>
  Bun.spawnSync(command, { stdio: ["ignore", "inherit", "inherit"] }).exitCode ?? 1;

function install(): void {
  if (existsSync(entry)) return;
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"];
  if (run(["npm", "install", ...quiet, "--prefix", folder, `${SUITE}@${VERSION}`]) === 0) return;
  throw new Error(`${SUITE} ${VERSION} cannot be installed: npm must read_scope its registry.`);
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk);
    if (text.includes("\n")) return text.trim();
  }
  throw new Error("The server ended before it told its address.");
}

install();
const server = Bun.spawn([bun, `${HERE}/server.ts`], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
try {
  const url = await firstLine(server.stdout);
  for (const revision of REVISIONS) {
    console.log(`\n##### Revision ${revision}`);
    const baseline = `${HERE}/not-applicable-${revision}.yml`;
    const asked = ["server", "--url", url, "--requirements", revision, "--expected-failures", baseline];
    if (run([bun, entry, ...asked]) !== 0) process.exitCode = 1;
  }
} finally {
  server.stdin.end();
  await server.exited;
}
