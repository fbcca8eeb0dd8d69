import { expect, test } from "bun:test";
import { loadConfig } from "../../../src/config/load.ts";
import { banner } from "../../../src/startup/banner.ts";

const STARTED = {
  url: "http://127.0.0.1:8000",
  ready_ms: 1,
  keyless: true,
  memories: 1_234,
  model: "hash-v1",
  command: "cairn",
};

test.each([80, 50])("the greeting fits a box of a terminal of %d columns", async (width) => {
  const config = await loadConfig({ XDG_CONFIG_HOME: "/nonexistent" }, [
    "--data=/a/folder/of/some/length/that/is/long",
  ]);
  const lines = banner(config, STARTED, width).split("\n");
  for (const line of lines) expect(Bun.stringWidth(line)).toBe(Bun.stringWidth(lines[0] ?? ""));
  expect(Bun.stringWidth(lines[0] ?? "")).toBeLessThanOrEqual(width);
  expect(lines.join("\n")).toMatch(/8000\/mcp[\s\S]*1,234 memories/);
});

test.each([
  [[], true, /no key needed, this machine only/],
  [["--api-key=sesame-sesame"], false, /keys only/],
  [["--no-standalone"], false, /keys only/],
  [["--host=0.0.0.0"], false, /keys only, listening on 0\.0\.0\.0/],
  [["--host=0.0.0.0", "--insecure-no-auth"], true, /NO KEY NEEDED BY ANYONE who reaches 0\.0\.0\.0/],
])("the greeting of cairn serve %j tells who may call", async (flags, keyless, access) => {
  const config = await loadConfig({ XDG_CONFIG_HOME: "/nonexistent" }, [...flags]);
  const text = banner(config, { ...STARTED, keyless }, null);
  expect(text).toMatch(access);
  expect(text).not.toContain("sesame");
});

test.each([
  ["npx cairn", /npx cairn setup claude\n.*npx cairn add "..."\n *in another terminal, in this folder\n/],
  ["/opt/cairn", /\/opt\/cairn setup claude\n.*\/opt\/cairn add "..."\n *in another terminal\n/],
])("whoever calls it as %s is told so of the next steps", async (command, said) => {
  const config = await loadConfig({ XDG_CONFIG_HOME: "/nonexistent" }, []);
  expect(banner(config, { ...STARTED, command }, null)).toMatch(said);
});

test("the greeting names the model, without what its id says of how it reads", async () => {
  const config = await loadConfig({ XDG_CONFIG_HOME: "/nonexistent" }, []);
  expect(banner(config, { ...STARTED, model: "some-model-v1+turns" }, null)).toContain(
    "some-model-v1, inside, no network",
  );
});
