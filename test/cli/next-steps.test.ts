import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { aFolder, cleanUp, spawnServer } from "../fault/server.ts";
import { cairnIn } from "../support/command-line.ts";

setDefaultTimeout(60_000);
afterAll(cleanUp);

let data: string;
let port: number;
let owner: ReturnType<typeof cairnIn>;

beforeAll(async () => {
  data = aFolder();
  ({ port } = await spawnServer({ folder: data }));
  owner = cairnIn(data, aFolder());
});

describe("a group of commands", () => {
  test("alone lists, as its own command does", async () => {
    await owner(["docs", "put", "plans", "launch", '{"summary":"Launch plan"}']);
    await owner(["docs", "put", "skills", "deploy", '{"description":"How to deploy","content":"1. Ask."}']);
    await owner(["keys", "create", "--agent", "anna"]);
    await owner(["add", "Anna keeps the spare oars.", "--agent", "anna"]);
    const pairs: readonly [string, string][] = [
      ["docs", "collections"],
      ["keys", "list"],
      ["skills", "list"],
      ["settings", "get"],
      ["agents", "list"],
    ];
    for (const [group, own] of pairs) {
      const [alone, listed] = [await owner([group]), await owner([group, own])];
      expect([group, alone]).toEqual([group, listed]);
      expect([group, alone.code, alone.out]).toEqual([group, 0, expect.stringMatching(/\S/)]);
    }
  });

  test("names the nearest of its own for a word that is none", async () => {
    const { code, err } = await owner(["keys", "lst"]);
    expect([code, err]).toEqual([2, expect.stringContaining("Did you mean `cairn keys list`?")]);
  });
});

describe("what a command says", () => {
  test("of a duplicate is its id once, and how it is read", async () => {
    const { out: id } = await owner(["add", "The ferry leaves at seven."]);
    const { code, err } = await owner(["add", "The ferry leaves at seven."]);
    expect([code, err.match(new RegExp(id, "g"))?.length]).toEqual([1, 2]);
    expect(err).toContain(`exists: ${id}. Read it: \`cairn get ${id}\`.`);
  });

  test("of a memory of no project tells how one is named", async () => {
    const { err } = await owner(["add", "The harbour light is painted white."]);
    expect(err).toContain('--project NAME, or {"project": "NAME"} in .cairn.json');
  });

  test("of one thing is in the singular", async () => {
    const folder = aFolder();
    const here = cairnIn(folder, folder);
    await here(["add", "A lantern hangs at pier nine."]);
    const { out } = await here(["backup", `${aFolder()}/made/`]);
    expect(out).toContain(": 1 memory and 0 documents of");
    await spawnServer({ folder });
    expect((await here(["status"])).out).toMatch(/Memories +1 of 1 agent$/m);
  });
});

test("deleted ones are listed by their status", async () => {
  const { out: id } = await owner(["add", "The winter timetable begins in November."]);
  await owner(["rm", id, "--yes"]);
  const { out } = await owner(["list", "--status", "deleted"]);
  expect(out).toContain(id);
  expect(out).not.toContain("spare oars");
});

test("a second server on a folder names the first one's address, and how it is stopped", async () => {
  const { code, err } = await owner(["serve", "--port", "0"]);
  expect(code).toBe(1);
  expect(err).toContain(`http://127.0.0.1:${port}: \`cairn stop\` stops it`);
});

describe("a key for a project", () => {
  const keyed = async (...words: string[]) => {
    const { raw_key } = JSON.parse((await owner(["keys", "create", "--agent", "bert", ...words, "--json"])).out);
    return cairnIn(aFolder(), aFolder(), { CAIRN_URL: `http://127.0.0.1:${port}`, CAIRN_KEY: raw_key });
  };

  test("is made by the flag that every command has, and writes in it", async () => {
    const without = await (await keyed())(["add", "The shop opens at nine.", "--project", "web-shop"]);
    expect([without.code, without.err]).toEqual([1, expect.stringContaining("Fleet (project) 'web-shop'")]);
    expect(without.err).toContain("`cairn keys create --agent AGENT --project PROJECT`");
    const bert = await keyed("--project", "web-shop");
    expect(await bert(["add", "The shop opens at nine.", "--project", "web-shop"])).toMatchObject({ code: 0 });
  });

  test("is refused where two flags name two", async () => {
    const { code, err } = await owner(["keys", "create", "--project", "one", "--fleet", "two"]);
    expect([code, err]).toEqual([2, expect.stringContaining("give one of them")]);
  });
});
