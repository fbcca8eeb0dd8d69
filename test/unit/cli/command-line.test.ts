import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ConfigError } from "../../../src/config/error.ts";
import { settingsText } from "../../../src/config/help.ts";
import type { Env } from "../../../src/config/load.ts";
import { asksReadyJson, loadConfig } from "../../../src/config/load.ts";
import { NAMES, SECRETS, SETTINGS } from "../../../src/config/settings.ts";
import { temporaryFolder } from "../../support/app.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
const file = join(folder.path, "cairn.json");
await Bun.write(file, JSON.stringify({ port: "abc" }));

const load = (argv: readonly string[], env: Env = {}) => loadConfig({ XDG_CONFIG_HOME: "/nonexistent", ...env }, argv);
const refusalOf = (argv: readonly string[], env?: Env): Promise<string> =>
  load(argv, env).then(
    () => "nothing: it was accepted",
    (error: unknown) => (error instanceof ConfigError ? error.message : `not for the user: ${error}`),
  );

describe("a value that does not fit names what it must be, what it is and where it is from:", () => {
  const fault = /port: must be a whole number from 0 to 65535, which "abc" is not/;
  test.each([
    [["--port", "abc"], {}, "--port"],
    [["-p", "abc"], {}, "--port"],
    [[], { CAIRN_PORT: "abc" }, "CAIRN_PORT"],
    [[`--config=${file}`], {}, `port in ${file}`],
    [["--config", file, "--port=abc"], { CAIRN_PORT: "1" }, "--port"],
  ])("%j %j", async (argv, env, place) => {
    expect(await refusalOf(argv, env)).toMatch(fault);
    expect(await refusalOf(argv, env)).toContain(`(from ${place})`);
  });

  test("but never the value of a secret", async () => {
    for (const name of SECRETS) {
      const refusal = await refusalOf([], { [`CAIRN_${name.toUpperCase()}`]: " q u " });
      expect([name, refusal]).toEqual([name, expect.not.stringContaining(" q u ")]);
    }
  });
});

describe("a short flag", () => {
  test("-p is the port", async () => {
    for (const argv of [["-p", "9000"], ["-p9000"]]) expect((await load(argv)).port).toBe(9000);
    expect(await refusalOf(["-p"])).toMatch(/^-p needs a value/);
  });

  test("that there is not is named as it was written", async () => {
    expect(await refusalOf(["-x", "1"])).toMatch(/Unknown flag '-x'/);
    expect(await refusalOf(["-q"])).toMatch(/Unknown flag '-q'/);
    expect(await refusalOf(["--x"])).toMatch(/Unknown flag '--x'/);
  });
});

describe("help", () => {
  test("tells what each setting is when nobody says", () => {
    const lines = settingsText().split("\n");
    for (const name of NAMES) {
      const fallback = SETTINGS[name].safeParse(undefined).data;
      const line = lines.find((one) => one.includes(`CAIRN_${name.toUpperCase()} `)) ?? "";
      if (typeof fallback === "number" || typeof fallback === "string") expect(line).toEndWith(` [${fallback}]`);
      if (typeof fallback === "boolean") expect(line).toEndWith(fallback ? " [on]" : " [off]");
    }
  });
});

test("variables of clients are no error at the start of a server", async () => {
  const env = { CAIRN_URL: "http://127.0.0.1:8000", CAIRN_KEY: "sesame-sesame" };
  expect((await load([], env)).port).toBe(8000);
});

test.each([
  [["--ready-json"], {}, true],
  [["serve", "--ready-json=yes"], {}, true],
  [["--ready-json=no"], {}, false],
  [["--port", "true"], {}, false],
  [[], { CAIRN_READY_JSON: "true" }, true],
  [[], { CAIRN_READY_JSON: "enabled" }, true],
  [[], { CAIRN_READY_JSON: "0" }, false],
])("whoever waits for a line of JSON is known before the settings are read: %j %j", (argv, env, expected) => {
  expect(asksReadyJson(env, argv)).toBe(expected);
});
