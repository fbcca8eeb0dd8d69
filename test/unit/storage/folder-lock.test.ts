import { expect, test } from "bun:test";
import { z } from "zod";

const Entry = z.object({ hasInstallScript: z.boolean().optional(), resolved: z.string().optional() });
const Lock = z.object({ packages: z.record(z.string(), Entry) });
const { packages } = Lock.parse(await Bun.file("package-lock.json").json());

test("of all packages only Bun runs a script when it is installed, and the model runtime's is told to fetch nothing", async () => {
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(scripted.map(([name]) => name)).toEqual(["node_modules/bun", "node_modules/onnxruntime-node"]);
  const { allowScripts } = z.object({ allowScripts: z.unknown() }).parse(await Bun.file("package.json").json());
  expect(allowScripts).toEqual({ bun: true, "onnxruntime-node": false });
  // An npm that does not know allowScripts runs it, and it reads this.
  expect(await Bun.file(".npmrc").text()).toContain("\nonnxruntime-node-install=skip\n");
});

test("the lock names no registry: whoever installs asks his own", () => {
  const hosts = Object.values(packages).filter(({ resolved }) => resolved?.includes("://"));
  expect(hosts).toEqual([]);
});
