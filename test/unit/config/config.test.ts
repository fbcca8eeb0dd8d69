import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ConfigError } from "../../../src/config/error.ts";
import { settingsText } from "../../../src/config/help.ts";
import type { Config, Env } from "../../../src/config/load.ts";
import { configOf, loadConfig, loadWithOrigins } from "../../../src/config/load.ts";
import { flagOf, NAMES, variableOf } from "../../../src/config/settings.ts";
import { secretsInFlags } from "../../../src/config/shown-secrets.ts";
import { temporaryFolder } from "../../support/app.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
let files = 0;
/** A config file with this content, and the environment that names it. */
async function aFile(content: unknown): Promise<Env> {
  const path = join(folder.path, `${++files}.json`);
  await Bun.write(path, typeof content === "string" ? content : JSON.stringify(content));
  return { CAIRN_CONFIG: path };
}
const NOWHERE = { XDG_CONFIG_HOME: "/nonexistent" };
const load = (argv: readonly string[], env: Env = {}): Promise<Config> => loadConfig({ ...NOWHERE, ...env }, argv);
const refusalOf = (argv: readonly string[], env?: Env): Promise<string> =>
  load(argv, env).then(
    () => "nothing: it was accepted",
    (error: unknown) => (error instanceof ConfigError ? error.message : `not for the user: ${error}`),
  );

describe("a setting", () => {
  test("has a default", async () => {
    expect(await load([])).toMatchObject({
      host: "127.0.0.1",
      port: 8000,
      ephemeral: false,
      standalone: true,
      embedder: "onnx",
    });
    expect((await load([])).memories_limit).toBe(1_000_000);
  });

  test("comes from the flag before the variable, the variable before the file, the file before the default", async () => {
    const file = await aFile({ port: 1111, host: "127.0.0.2", memories_limit: 7 });
    const env = { ...file, CAIRN_PORT: "2222", CAIRN_HOST: "127.0.0.3" };
    expect(await load(["--port", "3333"], env)).toMatchObject({
      port: 3333,
      host: "127.0.0.3",
      memories_limit: 7,
    });
    expect((await load([], env)).port).toBe(2222);
    expect((await load([], file)).port).toBe(1111);
  });

  test("of the named file wins over the usual one", async () => {
    const named = await aFile({ port: 1 });
    const other = await aFile({ port: 2 });
    expect((await load([`--config=${other.CAIRN_CONFIG}`], named)).port).toBe(2);
  });

  test.each([
    ["--ephemeral", true],
    ["--no-ephemeral", false],
    ["--ephemeral=yes", true],
    ["--ephemeral=false", false],
  ])("that is a switch takes %s", async (flag, expected) => {
    expect((await load([flag], { CAIRN_EPHEMERAL: String(!expected) })).ephemeral).toBe(expected);
  });

  test("that is a list has its words parted by commas, in the file as a list too", async () => {
    const origins = ["https://app.example.org", "http://localhost:3000", "chrome-extension://abcdef"];
    const expected = { allowed_origins: origins, allowed_hosts: ["cairn.internal"] };
    const flags = [`--allowed-origins=${origins.join(", ")},`, "--allowed-hosts=cairn.internal"];
    expect(await load(flags)).toMatchObject(expected);
    expect(await load([], await aFile(expected))).toMatchObject(expected);
  });

  test("host of version 6 may have its brackets", async () => {
    for (const host of ["::1", "[::1]"]) expect((await load([`--host=${host}`])).host).toBe("::1");
  });

  test("folder of the data follows XDG_DATA_HOME", async () => {
    expect((await load([], { XDG_DATA_HOME: "/srv/data" })).data).toBe("/srv/data/cairn");
    expect((await load(["--data=/elsewhere"], { XDG_DATA_HOME: "/srv/data" })).data).toBe("/elsewhere");
  });

  test("cannot be changed once loaded", async () => {
    const config = await load([]);
    expect(Object.isFrozen(config)).toBe(true);
  });
});

describe("what is not known is refused, with the nearest that is:", () => {
  test.each([
    [["--prot=9000"], {}, /flag '--prot'.*'--port'/],
    [["--prot", "9000"], {}, /flag '--prot'.*'--port'/],
    [["--no-standalon"], {}, /'--standalone'/],
    [[], { CAIRN_PROT: "1" }, /variable 'CAIRN_PROT'.*'CAIRN_PORT'/],
    [[], { CAIRN_MEMORY_LIMIT: "1" }, /'CAIRN_MEMORIES_LIMIT'/],
  ])("%j %j", async (argv, env, message) => {
    expect(await refusalOf(argv, env)).toMatch(message);
  });

  test("a key of the file", async () => {
    expect(await refusalOf([], await aFile({ prot: 1 }))).toMatch(/config key 'prot'.*'port'/);
  });

  test("without a guess when nothing is near", async () => {
    const message = await refusalOf(["--xyzzyplugh"]);
    expect(message).toMatch(/Unknown flag '--xyzzyplugh'/);
    expect(message).not.toContain("Did you mean");
  });

  test("but variables of others are none of our business", async () => {
    expect((await load([], { CAIRNS: "1", PORT: "1", XCAIRN_PORT: "1" })).port).toBe(8000);
  });
});

describe("a value that does not fit is refused by name:", () => {
  test.each([
    [["--port=abc"], {}, /port/],
    [["--port=70000"], {}, /port/],
    [["--port=-1"], {}, /port/],
    [["--port=80.5"], {}, /port/],
    [["--port"], {}, /--port needs a value/],
    [[], { CAIRN_PORT: "" }, /port/],
    [[], { CAIRN_MEMORIES_LIMIT: "0" }, /memories_limit/],
    [[], { CAIRN_EPHEMERAL: "perhaps" }, /ephemeral/],
    [["--embedder=magic"], {}, /embedder/],
    [["--data="], {}, /data/],
  ])("%j %j", async (argv, env, message) => {
    expect(await refusalOf(argv, env)).toMatch(message);
  });

  test.each([
    ["--allowed-origins=https://app.example.org/", /allowed_origins.*as browsers send it/],
    ["--allowed-origins=https://app.example.org, *", /allowed_origins/],
    ["--allowed-origins=https://app.example.org:443", /allowed_origins/],
    ["--allowed-origins=HTTPS://app.example.org", /allowed_origins/],
    ["--allowed-origins=app.example.org", /allowed_origins/],
    ["--allowed-origins=null", /allowed_origins/],
    ["--allowed-hosts=cairn.internal:8000", /allowed_hosts.*name without/],
    ["--allowed-hosts=http://cairn.internal", /allowed_hosts/],
    ["--allowed-hosts=*", /allowed_hosts/],
  ])("%s, which would never be met", async (flag, message) => {
    expect(await refusalOf([flag])).toMatch(message);
  });

  test.each([{ port: true }, { port: null }, { port: [] }, { port: "" }])("the file's %j", async (content) => {
    expect(await refusalOf([], await aFile(content))).toMatch(/port/);
  });

  test.each(["[]", "7", "not JSON"])("a file that holds %s", async (content) => {
    expect(await refusalOf([], await aFile(content))).toMatch(/is not a JSON object/);
  });

  test("a named file that does not exist", async () => {
    expect(await refusalOf(["--config=/nonexistent/cairn.json"])).toMatch(/\/nonexistent\/cairn.json does not exist/);
    expect(() => configOf({ data: "x", cache: "y", port: "z" })).toThrow(ConfigError);
  });
});

test("an address of Redis is redis or rediss, and its password is never repeated", async () => {
  for (const url of ["redis://127.0.0.1:6379", "rediss://:quokka@redis.internal/2"]) {
    expect((await load([], { CAIRN_REDIS_URL: url })).redis_url).toBe(url);
  }
  for (const url of ["http://:quokka@localhost", "localhost:6379/quokka", "quokka", ""]) {
    const refusal = await refusalOf([], { CAIRN_REDIS_URL: url });
    expect(refusal).toMatch(/redis_url: must be a redis or rediss address/);
    expect(refusal).not.toContain("quokka");
  }
});

test("an address of a database is one of PostgreSQL, its password is never repeated, and memory alone excludes it", async () => {
  for (const url of ["postgres://anna:quokka@db.internal/memory", "postgresql:///memory?host=/run/pg"]) {
    expect((await load([], { CAIRN_DATABASE_URL: url })).database_url).toBe(url);
  }
  for (const url of ["mysql://anna:quokka@localhost", "postgres://anna:quok/ka@localhost", "quokka", ""]) {
    const refusal = await refusalOf([], { CAIRN_DATABASE_URL: url });
    expect(refusal).toMatch(/database_url: must be a postgres or postgresql address/);
    expect(refusal).not.toContain("quokka");
  }
  const both = await refusalOf(["--ephemeral"], { CAIRN_DATABASE_URL: "postgres://anna:quokka@localhost" });
  expect(both).toMatch(/ephemeral: and database-url \(CAIRN_DATABASE_URL\) exclude each other/);
  expect(both).not.toContain("quokka");
});

describe("a language model", () => {
  const URL_FLAG = "--llm-base-url=http://127.0.0.1:11434";

  test("is none unless it is configured", async () => {
    const config = await load([]);
    expect([config.llm_base_url, config.llm_model, config.llm_api_key]).toEqual([undefined, undefined, undefined]);
  });

  test("is configured by flag, variable or file", async () => {
    const env = { ...(await aFile({ llm_base_url: "http://localhost:1234/v1" })), CAIRN_LLM_API_KEY: "sk-one" };
    expect(await load(["--llm-model=qwen3:8b"], env)).toMatchObject({
      llm_base_url: "http://localhost:1234/v1",
      llm_model: "qwen3:8b",
      llm_api_key: "sk-one",
    });
  });

  test.each([
    [[URL_FLAG], /llm_model: is missing.*CAIRN_LLM_MODEL/],
    [["--llm-model=m"], /llm_base_url: is missing.*CAIRN_LLM_BASE_URL/],
    [["--llm-api-key=sk-quokka"], /llm_base_url: is missing.*llm_model: is missing/],
    [["--llm-base-url=", "--llm-model=m"], /llm_base_url/],
    [["--llm-base-url=localhost:11434", "--llm-model=m"], /llm_base_url: must be an http or https address/],
    [["--llm-base-url=ftp://localhost", "--llm-model=m"], /llm_base_url/],
    [["--llm-base-url=http://anna:quokka@localhost", "--llm-model=m"], /llm_base_url: .*without user name/],
    [["--llm-base-url=http://localhost/?key=quokka", "--llm-model=m"], /llm_base_url/],
    [[URL_FLAG, "--llm-model= "], /llm_model/],
    [[URL_FLAG, "--llm-model=m", "--llm-api-key=quokka\nquokka"], /llm_api_key: must be printable/],
    [[URL_FLAG, "--llm-model=m", "--llm-api-key="], /llm_api_key/],
  ])("by halves or badly is refused by name, and no secret repeated: %j", async (argv, message) => {
    const refusal = await refusalOf(argv);
    expect(refusal).toMatch(message);
    expect(refusal).not.toContain("quokka");
  });
});

test("every setting has a flag and a variable of its own, and the help names them all", () => {
  const flags = NAMES.map(flagOf);
  const variables = NAMES.map(variableOf);
  expect(new Set(flags).size).toBe(NAMES.length);
  expect(new Set(variables).size).toBe(NAMES.length);
  for (const word of [...flags.map((flag) => `--${flag}`), ...variables]) expect(settingsText()).toContain(word);
});

test("secrets in flags are named with the variable that takes them unseen; those elsewhere are not", async () => {
  const shownBy = async (flags: readonly string[], env: Env = {}) => {
    const { config, origins } = await loadWithOrigins({ ...NOWHERE, ...env }, flags);
    return secretsInFlags(config, origins);
  };
  const key = "k".repeat(40);
  expect(await shownBy([`--api-key=${key}`, `--gateway-secret=${key}`])).toEqual([
    { flag: "--api-key", variable: "CAIRN_API_KEY" },
    { flag: "--gateway-secret", variable: "CAIRN_GATEWAY_SECRET" },
  ]);
  for (const url of ["postgres://a:b@localhost/c", "postgres://localhost/c?user=a&password=b"])
    expect(await shownBy([`--database-url=${url}`])).toMatchObject([{ variable: "CAIRN_DATABASE_URL" }]);
  expect(await shownBy(["--redis-url=redis://:b@localhost"])).toMatchObject([{ variable: "CAIRN_REDIS_URL" }]);
  for (const flag of ["--database-url=postgres://a@localhost/c", "--redis-url=redis://localhost", "--port=1"])
    expect(await shownBy([flag])).toEqual([]);
  expect(await shownBy([], { CAIRN_API_KEY: key, CAIRN_DATABASE_URL: "postgres://a:b@localhost/c" })).toEqual([]);
});
