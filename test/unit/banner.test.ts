import { expect, test } from "bun:test";
import { loadConfig } from "../../src/config/load.ts";
import { banner } from "../../src/serve.ts";

test.each([
  [[], true, /no key needed, this machine only/],
  [["--api-key=sesame-sesame"], false, /keys only/],
  [["--no-standalone"], false, /keys only/],
  [["--host=0.0.0.0"], false, /keys only, listening on 0\.0\.0\.0/],
  [["--host=0.0.0.0", "--insecure-no-auth"], true, /NO KEY NEEDED BY ANYONE who reaches 0\.0\.0\.0/],
])("the greeting of cairn serve %j tells who may call", async (flags, keyless, access) => {
  const config = await loadConfig({ XDG_CONFIG_HOME: "/nonexistent" }, [...flags]);
  const text = banner(config, { url: "http://127.0.0.1:8000", ready_ms: 1, keyless });
  expect(text).toMatch(access);
  expect(text).not.toContain("sesame");
});
