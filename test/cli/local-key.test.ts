import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { aFolder, cleanUp, spawnServer, until } from "../fault/server.ts";
import { cairnIn } from "../support/command-line.ts";

// A key counts wherever it is shown: without an address it goes to the server, or the folder, of this machine.

setDefaultTimeout(120_000);
afterAll(cleanUp);

const UNKNOWN = "mc_unknown";
const call = (name: string, args: object): string =>
  [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities: {}, protocolVersion: "2025-06-18" } },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name, arguments: args } },
  ]
    .map((message) => `${JSON.stringify(message)}\n`)
    .join("");

describe.each(["a running server", "an opened folder"])("to %s", (kind) => {
  let data: string;
  let as: (key: string) => ReturnType<typeof cairnIn>;
  let anna: ReturnType<typeof cairnIn>;

  beforeAll(async () => {
    data = aFolder();
    const cwd = aFolder();
    const owner = cairnIn(data, cwd);
    as = (key) => cairnIn(data, cwd, { CAIRN_KEY: key });
    if (kind === "a running server") await spawnServer({ folder: data });
    const { out } = await owner(["keys", "create", "--agent", "anna", "--trust", "1"]);
    anna = as(out);
  });

  test("the key of an agent speaks for it, and may do what it may", async () => {
    const { out: id } = await anna(["add", "Anna keeps the spare oars.", "--visibility", "scope_agent"]);
    expect(JSON.parse((await anna(["get", id, "--json"])).out)).toMatchObject({ agent_id: "anna" });
    const refused = await anna(["agents", "trust", "anna", "3"]);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("(ADMIN_REQUIRED)")]);
    expect((await anna(["export", "-"])).code).toBe(1);
  });

  test.each([UNKNOWN, "sesame"])("one that is none, as %s, is refused", async (key) => {
    for (const words of [["search", "oars"], ["status"], ["export", "-"]]) {
      // Where no server runs, that is what `status` says.
      if (words[0] === "status" && kind !== "a running server") continue;
      const { code, out, err } = await as(key)(words);
      expect([words, code, out, err]).toEqual([words, 1, "", expect.stringContaining("(INVALID_API_KEY)")]);
    }
  });

  test("the doctor looks as the owner of the machine", async () => {
    const { out } = await as(UNKNOWN)(["doctor", "--json"]);
    expect(out).not.toContain("INVALID_API_KEY");
    expect(JSON.parse(out)).toBeObject();
  });
});

describe("what a harness starts", () => {
  let data: string;
  let key: string;
  beforeAll(async () => {
    data = aFolder();
    await spawnServer({ folder: data });
    const owner = cairnIn(data, data);
    await owner(["add", "The harbour light is painted white.", "--type", "decision"]);
    key = (await owner(["keys", "create", "--agent", "anna", "--trust", "1"])).out;
  });
  const as = (shown: string) => cairnIn(data, data, { CAIRN_KEY: shown });

  test("as an MCP server speaks for the key's agent, and for nobody with another", async () => {
    const remember = call("remember", { content: "Anna counts the oars on Mondays." });
    expect((await as(key)(["mcp"], remember)).out).toContain("saved");
    const listed = JSON.parse((await cairnIn(data, data)(["list", "--written-by", "anna", "--json"])).out);
    expect(listed.items).toHaveLength(1);
    expect((await as(UNKNOWN)(["mcp"], remember)).out).toContain("unknown or revoked");
  });

  test("as a hook tells what the key may read, and with another says why only when asked", async () => {
    const input = JSON.stringify({ session_id: "s", cwd: data });
    const words = ["hook", "session-start", "--harness", "claude"];
    // A hook has a quarter of a second, which a busy machine may not give it.
    await until("the hook tells", async () => (await as(key)(words, input)).out.includes("painted white"));
    await until("the hook says why", async () =>
      (await as(UNKNOWN)([...words, "--debug"], input)).err.includes("unknown or revoked"),
    );
    expect((await as(UNKNOWN)(words, input)).out).not.toContain("painted white");
  });
});
