import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { aFolder, cleanUp, spawnServer } from "../fault/server.ts";
import { cairnIn } from "../support/command-line.ts";

afterAll(cleanUp);
const LONG = 60_000;

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
      expect(json.items[0]).toHaveProperty("usage");
      const explained = await here(["search", "harbour light", "--explain", "--top", "1"]);
      const cells = explained.out.split("\t");
      expect([cells[0], cells.at(-1), explained.err]).toEqual([
        id,
        expect.stringMatching(/vec_sim=0\.\d+ fts_score=1/),
        expect.stringMatching(/Strategy hybrid; \d+ weighed.*keyword \d+\.\d ms/),
      ]);
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
      expect((await here(["history", id])).out).toMatch(/painted red[\s\S]*text rewritten; weight [\d.]+ to 0\.9/);
      const { texts } = JSON.parse((await here(["history", id, "--json"])).out);
      expect(texts).toMatchObject([{ content: "The harbour light is painted white." }]);
      expect((await here(["history", id])).out).toContain(
        `[${texts[0].id.slice(0, 18)}]: The harbour light is painted white.`,
      );
      expect(await here(["restore", id.slice(0, 18), "--text"])).toMatchObject({
        code: 0,
        out: id,
        err: expect.stringContaining("It says again: The harbour light is painted white."),
      });
      const red = JSON.parse((await here(["history", id, "--json"])).out).texts[0];
      expect(red.content).toContain("red");
      expect((await here(["restore", id, "--text", "ffff"])).err).toContain("No text begins with 'ffff'");
      expect((await here(["restore", id, "--text", red.id.slice(0, 18)])).err).toContain("red");
      expect(await here(["rm", id])).toMatchObject({ code: 2, err: expect.stringContaining("--yes") });
      expect(await here(["rm", id, "--yes"])).toMatchObject({
        code: 0,
        out: id,
        err: expect.stringContaining(`cairn restore ${id}`),
      });
      expect((await here(["list"])).out).not.toContain(id);
      expect(await here(["get", id.slice(0, 18)])).toMatchObject({
        code: 2,
        err: `cairn: ${id} is deleted; \`cairn restore ${id}\` brings it back.`,
      });
      expect((await here(["get", id])).err).toContain("`cairn restore` brings back");
      expect(await here(["restore", id.slice(0, 18)])).toMatchObject({ code: 0, out: id });
      expect((await here(["list"])).out).toContain(id);
    },
    LONG,
  );

  test(
    "a project is taken from the folder, and told",
    async () => {
      expect((await inProject(["add", "The website is built with Astro."])).err).toContain(
        "Project website (.cairn.json), a new one.",
      );
      expect((await inProject(["add", "The website has a dark theme."])).err).toBe("Project website (.cairn.json).");
      await here(["add", "The intranet is built with Hugo.", "--project", "intranet"]);
      const found = await inProject(["search", "what is it built with"]);
      expect([found.out, found.out, found.err]).toEqual([
        expect.stringContaining("Astro"),
        expect.not.stringContaining("Hugo"),
        expect.stringContaining("Project website"),
      ]);
      expect((await inProject(["search", "what is it built with", "--all-projects"])).out).toContain("Hugo");
      expect((await inProject(["list", "--no-scope"])).out).not.toContain("Hugo");
      expect((await inProject(["list", "--all-projects"])).out).toContain("Hugo");
      const listed = await inProject(["list"]);
      expect([listed.out, listed.out]).toEqual([
        expect.stringContaining("harbour"),
        expect.not.stringContaining("Hugo"),
      ]);
      expect(JSON.parse((await inProject(["list", "--json"])).out)).toMatchObject({
        project: "website",
        project_source: ".cairn.json",
      });
      const unknown = await here(["search", "built with", "--project", "websit"]);
      expect(unknown.err).toContain("No memory belongs to a project 'websit' yet. Did you mean 'website'?");
    },
    LONG,
  );

  test(
    "a private memory is found by whoever wrote it, and by no other",
    async () => {
      const { out: id, err } = await here([
        "add",
        "The cellar key hangs behind the map.",
        "--visibility",
        "scope_agent",
      ]);
      expect(err).toBe("Private to agent cli.");
      for (const words of [["search", "cellar key"], ["list"], ["get", id.slice(0, 18)], ["history", id]])
        expect((await here(words)).out).toContain("behind the map");
      expect((await here(["search", "cellar key", "--agent", "anna"])).out).not.toContain("behind the map");
      expect(await here(["get", id, "--agent", "anna"])).toMatchObject({
        code: 1,
        err: expect.stringContaining("(NOT_FOUND)"),
      });
    },
    LONG,
  );

  test(
    "a list goes through all its pages in any order",
    async () => {
      for (const [text, weight] of [
        ["The first shelf holds paint.", "0.2"],
        ["The second shelf holds rope.", "0.9"],
        ["The third shelf holds lamps.", "0.5"],
      ] as const)
        await here(["add", text, "--weight", weight, "--metadata", "row=1", "--project", "shelves"]);
      const listed = async (...flags: string[]) => {
        const { out } = await here(["list", "--project", "shelves", "--limit", "1", "--weight-min", "0.3", ...flags]);
        return out.split("\n").flatMap((line) => /The (\w+) shelf/.exec(line)?.[1] ?? []);
      };
      expect(await listed("--all", "--visibility", "scope_team")).toEqual(["third", "second"]);
      expect(await listed("--all", "--visibility", "scope_team", "--order", "asc")).toEqual(["second", "third"]);
      expect(await listed("--all", "--visibility", "scope_team", "--sort", "weight")).toEqual(["second", "third"]);
      expect(await listed("--visibility", "scope_team", "--sort", "weight")).toEqual(["second"]);
      expect(await listed("--all", "--except-type", "fact", "--visibility", "scope_team")).toEqual([]);
    },
    LONG,
  );

  test(
    "what could not be deleted is told, and the rest is deleted",
    async () => {
      const { out: id } = await here(["add", "The shed door squeaks badly."]);
      const missing = "00000000-0000-7000-8000-000000000000";
      expect(await here(["rm", missing, id, "--yes"])).toMatchObject({
        code: 1,
        out: id,
        err: expect.stringContaining(`${missing}: No such memory.`),
      });
      const again = await here(["rm", id, "--yes", "--json"]);
      expect([again.code, JSON.parse(again.out)]).toMatchObject([
        1,
        { deleted: [], refused: [{ id, code: "NOT_FOUND" }] },
      ]);
      expect(await here(["rm", id.slice(0, 18), "--yes", "--erase"])).toMatchObject({
        code: 0,
        err: "Erased for good.",
      });
      expect(await here(["restore", id])).toMatchObject({ code: 1, err: expect.stringContaining("(NOT_FOUND)") });
    },
    LONG,
  );

  test(
    "a contradiction is shown and decided",
    async () => {
      const old = (await here(["add", "The gate of the north yard opens at six."])).out;
      const waited = await here(["add", "The gate of the north yard opens at nine.", "--wait"]);
      expect(waited.err).toMatch(/by meaning[\s\S]*Contradicts, now \w+: The gate of the north yard opens at six/);
      const shown = await here(["contradictions", old]);
      expect(shown.out).toContain("opens at nine");
      const decided = async (flag: string) => (await here(["contradictions", old, flag])).out;
      expect(await decided("--accept")).toBe(`${old} is outdated now.`);
      expect((await here(["history", old])).out).toMatch(
        /replaced by: The gate[\s\S]*status "\w+" to "outdated"[\s\S]*state "open" to "accepted"/,
      );
      expect(await decided("--undo")).toBe(`${old} is active now.`);
      expect(await decided("--keep")).toBe(`${old} is confirmed now.`);
      const { out } = await here(["contradictions", old, "--accept", "--json"]);
      expect(JSON.parse(out)).toMatchObject({ new_status: "outdated" });
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
    [["add", "short"], 2, "too short"],
    [["add", "A statement long enough.", "--weight", "7"], 2, "--weight"],
    [["add", "A statement long enough.", "--expires", "someday"], 2, "--expires"],
    [["add", "A statement long enough.", "--type", "fcat"], 2, "Did you mean 'fact'?"],
    [["list", "--sort", "wieght"], 2, "Did you mean 'weight'?"],
    [["list", "--bogus"], 2, "cairn help list"],
    [["add", "--file", "/nonexistent/x"], 2, "cannot be read"],
    [["search", "x", "--top", "50"], 2, "--top"],
    [["get", "nonsense"], 2, "cairn list"],
    [["get", "00000000-0000-7000-8000-000000000000"], 1, "cairn list"],
    [["rm", "00000000-0000-7000-8000-000000000000", "--yes"], 1, "(NOT_FOUND)"],
    [["docs", "get", "plans", "none"], 1, "cairn docs list plans"],
    [["settings", "set", "no.such", "1"], 2, "cairn settings get"],
    [["agents", "get", "nobody"], 1, "cairn agents list"],
    [["keystones", "rm", "none"], 1, "cairn keystones list"],
    [["contradictions", "--accept"], 2, "which memory"],
    [["contradictions", "00000000-0000-7000-8000-000000000000", "--accept", "--keep"], 2, "one thing"],
    [["search", "anything at all"], 0, "cairn list"],
    [["search", "anything at all", "--project", "x"], 0, "--all-projects"],
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
