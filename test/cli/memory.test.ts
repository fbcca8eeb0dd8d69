import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { aFolder, CAIRN, cleanUp, spawnServer } from "../fault/server.ts";

afterAll(cleanUp);
const LONG = 60_000;

interface Ran {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** The program in a folder, as somebody there would write it; input goes to its standard input. */
function cairnIn(data: string, cwd: string, env: Readonly<Record<string, string>> = {}) {
  return async (words: readonly string[], input = ""): Promise<Ran> => {
    const child = Bun.spawn([...CAIRN, ...words, "--data", data], {
      cwd,
      stdin: new Blob([input]),
      stdout: "pipe",
      stderr: "pipe",
      env: {
        PATH: process.env.PATH ?? "",
        HOME: data,
        XDG_CONFIG_HOME: "/nonexistent",
        CAIRN_EMBEDDER: "hash",
        ...env,
      },
    });
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { out: out.trimEnd(), err: err.trimEnd(), code };
  };
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe.each(["running server", "folder alone"])("with a %s", (place) => {
  const data = aFolder();
  const plain = join(aFolder(), "nowhere");
  const home = join(aFolder(), "website");
  let here: ReturnType<typeof cairnIn>;
  let inProject: ReturnType<typeof cairnIn>;
  beforeAll(async () => {
    for (const folder of [plain, home]) mkdirSync(folder, { recursive: true });
    await Bun.write(join(home, ".cairn.json"), '{"project":"website"}');
    if (place === "running server") await spawnServer({ folder: data });
    here = cairnIn(data, plain);
    inProject = cairnIn(data, home);
  });

  test(
    "a memory is written, found, read, changed, deleted and brought back",
    async () => {
      const added = await here(["add", "The harbour light is painted white."]);
      expect([added.code, added.out, added.err]).toEqual([
        0,
        expect.stringMatching(ID),
        expect.stringContaining("every project"),
      ]);
      const id = added.out;
      expect((await here(["search", "harbour light"])).out).toContain("painted white");
      const json = JSON.parse((await here(["search", "harbour light", "--json"])).out);
      expect([json.project, json.items[0].id]).toEqual([null, id]);
      expect((await here(["search", "harbour light", "--explain"])).out).toMatch(/1\. The harbour light[\s\S]*vec_sim/);
      expect((await here(["recall", "what colour is the harbour light?"])).out).toContain("white");
      expect((await here(["get", id.slice(0, 18)])).out).toContain("painted white");
      expect(await here(["edit", id, "--text", "The harbour light is painted red.", "--weight", "0.9"])).toMatchObject({
        code: 0,
        out: id,
      });
      expect(JSON.parse((await here(["get", id, "--json"])).out)).toMatchObject({
        weight: 0.9,
        content: expect.stringContaining("red"),
      });
      expect((await here(["history", id])).out).toMatch(/painted red[\s\S]*by/);
      expect(await here(["rm", id])).toMatchObject({ code: 2, err: expect.stringContaining("--yes") });
      expect(await here(["rm", id, "--yes"])).toMatchObject({
        code: 0,
        out: id,
        err: expect.stringContaining(`cairn restore ${id}`),
      });
      expect((await here(["list"])).out).not.toContain(id);
      expect(await here(["restore", id])).toMatchObject({ code: 0, out: id });
      expect((await here(["list"])).out).toContain(id);
    },
    LONG,
  );

  test(
    "a project is taken from the folder, and told",
    async () => {
      expect((await inProject(["add", "The website is built with Astro."])).err).toContain(
        "Project website (.cairn.json)",
      );
      await here(["add", "The intranet is built with Hugo.", "--project", "intranet"]);
      const found = await inProject(["search", "what is it built with"]);
      expect([found.out, found.out, found.err]).toEqual([
        expect.stringContaining("Astro"),
        expect.not.stringContaining("Hugo"),
        expect.stringContaining("Project website"),
      ]);
      expect((await inProject(["search", "what is it built with", "--all-projects"])).out).toContain("Hugo");
      expect((await inProject(["list", "--no-scope"])).out).toContain("Hugo");
    },
    LONG,
  );

  test(
    "a contradiction is shown and decided",
    async () => {
      const old = (await here(["add", "The gate of the north yard opens at six."])).out;
      await here(["add", "The gate of the north yard opens at nine."]);
      let shown = await here(["contradictions", old]);
      for (let i = 0; i < 50 && shown.out === ""; i++) {
        await Bun.sleep(100);
        shown = await here(["contradictions", old]);
      }
      expect(shown.out).toContain("opens at nine");
      expect((await here(["contradictions", old, "--keep"])).out).toBe(`${old} is confirmed now.`);
    },
    LONG,
  );

  test(
    "documents, rules, agents and settings are looked after",
    async () => {
      expect(
        await here(["docs", "put", "plans", "launch", '{"summary":"The launch plan","day":"Friday"}']),
      ).toMatchObject({ code: 0, out: "launch" });
      expect((await here(["docs", "get", "plans", "launch"])).out).toContain('"day": "Friday"');
      expect((await here(["docs", "list", "plans"])).out).toContain("launch");
      expect((await here(["docs", "collections"])).out).toContain("plans");
      expect((await here(["docs", "search", "launch plan"])).out).toContain("Friday");
      expect(await here(["docs", "rm", "plans", "launch"])).toMatchObject({ code: 0, out: "launch" });
      expect(await here(["docs", "put", "plans", "x", "no json"])).toMatchObject({
        code: 2,
        err: expect.stringContaining("object of JSON"),
      });
      expect(await here(["keystones", "set", "no-force", "Never force-push."])).toMatchObject({
        code: 0,
        err: expect.stringContaining("everyone"),
      });
      expect((await here(["keystones", "list"])).out).toContain("Never force-push.");
      expect(await here(["keystones", "rm", "no-force"])).toMatchObject({ code: 0, out: "no-force" });
      expect((await here(["agents", "list"])).out).toContain("cli");
      expect((await here(["agents", "trust", "cli", "2"])).out).toContain("trust 2");
      expect(await here(["agents", "trust", "cli", "9"])).toMatchObject({ code: 2 });
      expect((await here(["settings", "set", "memories.deleted_grace_days", "7"])).out).toContain("7");
      expect((await here(["settings", "get", "memories"])).out).toContain("7");
      expect(await here(["settings", "get", "no.such"])).toMatchObject({
        code: 2,
        err: expect.stringContaining("no setting"),
      });
    },
    LONG,
  );
});

describe("what is written wrongly", () => {
  const here = cairnIn(aFolder(), aFolder());

  test.each([
    [["add"], 2, "Write the statement"],
    [["add", "short"], 1, "too short"],
    [["add", "A statement long enough.", "--weight", "7"], 2, "--weight"],
    [["add", "A statement long enough.", "--expires", "someday"], 2, "--expires"],
    [["add", "A statement long enough.", "--type", "fcat"], 1, "memory_type"],
    [["add", "--file", "/nonexistent/x"], 2, "cannot be read"],
    [["search", "x", "--top", "50"], 2, "--top"],
    [["get", "nonsense"], 2, "cairn list"],
    [["get", "00000000-0000-7000-8000-000000000000"], 1, "memory"],
    [["edit", "00000000-0000-7000-8000-000000000000"], 2, "--text"],
    [["rm", "abcd", "--yes"], 2, "cairn list"],
  ])(
    "%j ends with %d and says what to do",
    async (words, code, hint) => {
      const ran = await here(words);
      expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(hint)]);
    },
    LONG,
  );

  test(
    "leaves a duplicate with the id of what there is",
    async () => {
      const { out } = await here(["add", "-"], "The same statement twice over.");
      expect(await here(["add", "-"], "The same statement twice over.")).toMatchObject({
        code: 1,
        err: expect.stringContaining(`cairn get ${out}`),
      });
    },
    LONG,
  );
});

test(
  "a server that was named and does not answer is told, with 3",
  async () => {
    const ran = await cairnIn(aFolder(), aFolder(), { CAIRN_URL: "http://127.0.0.1:9" })(["list"]);
    expect([ran.code, ran.err]).toEqual([3, expect.stringContaining("No Cairn answers at http://127.0.0.1:9")]);
  },
  LONG,
);
