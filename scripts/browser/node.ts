import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

// Playwright does not run under Bun, so what drives a browser is bundled and run by Node, which every installation from npm has.

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
/** How to come by what is missing. */
export const NO_CHROMIUM = "needs Chromium (Debian: apt-get install chromium), or its path in CHROMIUM";

/** Path of the Chromium of this machine; null without one. */
export const findChromium = (): string | null =>
  process.env.CHROMIUM ?? NAMES.flatMap((name) => Bun.which(name) ?? []).at(0) ?? null;

/** Scripts for Node, made of TypeScript. */
export interface Bundled {
  /** The script made of an entry, by the entry's path. */
  pathOf(entry: string): string;
  remove(): void;
}

/** Bundles each entry for Node, into a folder within the repository, where Node finds the packages. */
export async function bundleForNode(entries: readonly string[]): Promise<Bundled> {
  mkdirSync("dist", { recursive: true });
  const outdir = mkdtempSync("dist/browser-");
  await Bun.build({ entrypoints: [...entries], outdir, target: "node", packages: "external", naming: "[name].mjs" });
  return {
    pathOf: (entry) => join(outdir, basename(entry).replace(/\.ts$/, ".mjs")),
    remove: () => rmSync(outdir, { recursive: true, force: true }),
  };
}

/** What a script in Node is told: the browser, what starts a server, and whatever else it takes. */
export const settingOf = (command: readonly string[], more: Readonly<Record<string, string>> = {}) => ({
  ...process.env,
  BROWSER_SETUP: JSON.stringify({ chromium: findChromium(), command, more }),
  // Set where one runner of tests starts another, which then prints nothing.
  NODE_TEST_CONTEXT: undefined,
});

/** Bundles a script, runs it under Node with this process's output, and gives its exit status. */
export async function runInNode(entry: string, command: readonly string[], more = {}): Promise<number> {
  if (findChromium() === null) {
    console.error(`${entry} ${NO_CHROMIUM}.`);
    return 1;
  }
  const bundled = await bundleForNode([entry]);
  try {
    const stdio: ["ignore", "inherit", "inherit"] = ["ignore", "inherit", "inherit"];
    return await Bun.spawn(["node", bundled.pathOf(entry)], { stdio, env: settingOf(command, more) }).exited;
  } finally {
    bundled.remove();
  }
}
