import { expect, test } from "bun:test";
import { z } from "zod";

const Entry = z.object({
  hasInstallScript: z.boolean().optional(),
  resolved: z.string().optional(),
  engines: z.object({ node: z.string().optional() }).optional(),
});
const Lock = z.object({ packages: z.record(z.string(), Entry) });
const { packages } = Lock.parse(await Bun.file("package-lock.json").json());

/** What npm prints and warns of. */
function npm(words: readonly string[]): string {
  const { stdout, stderr } = Bun.spawnSync(["npm", ...words]);
  return `${stdout}${stderr}`;
}

test("of all packages only Bun runs a script when it is installed, and the model runtime's is told to fetch nothing", async () => {
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(scripted.map(([name]) => name)).toEqual(["node_modules/bun", "node_modules/onnxruntime-node"]);
  const { allowScripts } = z.object({ allowScripts: z.unknown() }).parse(await Bun.file("package.json").json());
  expect(allowScripts).toEqual({ bun: true, "onnxruntime-node": false });
  // An npm that does not know allowScripts runs it, with the options that .npmrc has for Node.
  const options = npm(["config", "get", "node-options"]).trim();
  const ask = "console.log(require('onnxruntime-node/script/install-utils.js').parseInstallFlag())";
  const flag = (env: Record<string, string>) =>
    Bun.spawnSync(["node", "-e", ask], { env: { PATH: process.env.PATH ?? "", ...env } }).stdout.toString();
  expect([flag({}), flag({ NODE_OPTIONS: options })]).toEqual(["undefined\n", "false\n"]);
});

test("npm knows each of its settings that stand here", () => {
  expect(npm(["config", "list"])).not.toMatch(/warn|unknown/i);
});

test("no package wants a newer Node than is promised", async () => {
  const { engines } = z
    .object({ engines: z.object({ node: z.string() }) })
    .parse(await Bun.file("package.json").json());
  const oldest = engines.node.replace(">=", "");
  const wanting = Object.entries(packages).flatMap(([name, { engines: own }]) =>
    own?.node !== undefined && !Bun.semver.satisfies(oldest, own.node) ? [name] : [],
  );
  expect(wanting).toEqual([]);
});

test("the lock names no registry: whoever installs asks his own", () => {
  const hosts = Object.values(packages).filter(({ resolved }) => resolved?.includes("://"));
  expect(hosts).toEqual([]);
});
