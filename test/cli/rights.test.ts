import { afterAll, beforeAll, expect, test } from "bun:test";
import { aFolder, cleanUp, spawnServer } from "../fault/server.ts";
import { cairnIn } from "../support/command-line.ts";

afterAll(cleanUp);
const LONG = 60_000;

type Here = ReturnType<typeof cairnIn>;
let owner: Here;
let restricted: Here;
let anna: Here;
let nobody: Here;
let id: string;

beforeAll(async () => {
  const data = aFolder();
  const { port } = await spawnServer({ folder: data });
  owner = cairnIn(data, aFolder());
  const keyed = async (...words: string[]): Promise<Here> => {
    const { raw_key } = JSON.parse((await owner(["keys", "create", ...words, "--json"])).out);
    return cairnIn(aFolder(), aFolder(), { CAIRN_URL: `http://127.0.0.1:${port}`, CAIRN_KEY: raw_key });
  };
  restricted = await keyed("--agent", "bert", "--trust", "0");
  anna = await keyed("--agent", "anna", "--trust", "1");
  nobody = cairnIn(aFolder(), aFolder(), { CAIRN_URL: `http://127.0.0.1:${port}`, CAIRN_KEY: "mc_unknown" });
  id = (await owner(["add", "The ferry leaves at seven."])).out;
}, LONG);

test(
  "a key of one agent writes and looks in its name",
  async () => {
    const { out, err } = await anna(["add", "Anna keeps the spare oars.", "--visibility", "scope_agent"]);
    expect(err).toBe("Private to agent anna.");
    expect((await anna(["search", "spare oars"])).out).toContain(out);
    expect((await restricted(["search", "spare oars"])).out).not.toContain(out);
  },
  LONG,
);

test(
  "what a key may not do is refused with its code and the next step",
  async () => {
    const refusals: readonly [Here, string[], string][] = [
      [restricted, ["add", "Bert would write something."], "needs trust 1"],
      [restricted, ["edit", id, "--weight", "0.1"], "(AGENT_TRUST_TOO_LOW)"],
      [anna, ["rm", id, "--yes"], "`cairn agents trust AGENT LEVEL`"],
      [anna, ["contradictions", id, "--accept"], "(AGENT_TRUST_TOO_LOW)"],
      [anna, ["add", "Anna speaks for somebody else.", "--agent", "bert"], "(AGENT_IDENTITY_MISMATCH)"],
      [anna, ["keystones", "set", "no-x", "Never do x."], "(AGENT_TRUST_TOO_LOW)"],
      [anna, ["docs", "rm", "plans", "x"], "(AGENT_TRUST_TOO_LOW)"],
      [anna, ["agents", "trust", "anna", "3"], "(ADMIN_REQUIRED)"],
      [anna, ["settings", "set", "memories.deleted_grace_days", "3"], "(FORBIDDEN)"],
      [nobody, ["search", "ferry"], "(INVALID_API_KEY)"],
    ];
    for (const [here, words, said] of refusals) {
      const ran = await here(words);
      expect([words, ran.code, ran.out, ran.err]).toEqual([words, 1, "", expect.stringContaining(said)]);
    }
    expect((await owner(["get", id])).out).toContain("leaves at seven");
  },
  LONG,
);

test(
  "a refusal as JSON is the envelope's",
  async () => {
    const ran = await restricted(["add", "Bert would write something.", "--json"]);
    expect([ran.code, JSON.parse(ran.out)]).toMatchObject([1, { error: { code: "AGENT_TRUST_TOO_LOW" } }]);
  },
  LONG,
);

test(
  "a history is shown as far as a key may see it",
  async () => {
    const ran = await anna(["history", id]);
    expect([ran.code, ran.out, ran.err]).toEqual([
      0,
      expect.stringContaining("leaves at seven"),
      expect.stringContaining("(ADMIN_REQUIRED)"),
    ]);
  },
  LONG,
);
