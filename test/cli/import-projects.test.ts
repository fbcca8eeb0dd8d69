import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { temporaryFolder } from "../support/app.ts";
import { cairnIn } from "../support/command-line.ts";
import { ENGRAM, NOTE } from "../unit/formats/foreign/samples.ts";

setDefaultTimeout(120_000);
const root = temporaryFolder();
afterAll(root.remove);
const place = (...names: string[]): string => join(root.path, ...names);
const inside = place("work/shop/src");
const outside = place("elsewhere");

function write(path: string, text: string): string {
  mkdirSync(dirname(place(path)), { recursive: true });
  writeFileSync(place(path), text);
  return place(path);
}

beforeAll(() => {
  write("work/shop/.git/config", '[remote "origin"]\n\turl = git@example.com:acme/shop.git\n');
  write("work/shop/.git/HEAD", "ref: refs/heads/main\n");
  for (const folder of [inside, outside]) mkdirSync(folder, { recursive: true });
});

const Row = z.looseObject({
  record: z.string(),
  fleet_id: z.string().nullish(),
  visibility: z.string().nullish(),
  agent_id: z.string().nullish(),
  content: z.string().optional(),
  canonical_name: z.string().optional(),
  entries: z.array(z.looseObject({ fleet_id: z.string().nullable() })).optional(),
});
/** What a folder of data holds, by kind. */
async function storedIn(data: string) {
  const { out } = await cairnIn(place(data), outside)(["export", "-", "--all-projects"]);
  const rows = out.split("\n").map((line) => Row.parse(JSON.parse(line)));
  return (record: string) => rows.filter((one) => one.record === record);
}
const Places = z.array(
  z.object({ name: z.string().nullable(), records: z.int(), to: z.string().nullable(), why: z.string() }),
);
const Report = z.looseObject({ projects: Places, personal: z.int(), counts: z.looseObject({ created: z.int() }) });
let count = 0;

/** What one import of files in a project's folder stores: of each memory who sees it and whose it is. */
async function importing(files: Readonly<Record<string, string>>, words: readonly string[] = [], cwd = inside) {
  const data = `data-${++count}`;
  for (const [path, text] of Object.entries(files)) write(`${data}-files/${path}`, text);
  const [only, ...others] = Object.keys(files);
  const source = others.length === 0 && only ? place(`${data}-files`, only) : place(`${data}-files`);
  const { out, err, code } = await cairnIn(place(data), cwd)(["import", source, "--json", ...words]);
  expect([code, err]).toEqual([0, ""]);
  const stored = await storedIn(data);
  const memories: Readonly<Record<string, readonly (string | null | undefined)[]>> = Object.fromEntries(
    stored("memory").map(({ content, fleet_id, visibility, agent_id }) => [
      content ?? "",
      [fleet_id, visibility, agent_id],
    ]),
  );
  return { report: Report.parse(JSON.parse(out)), memories, stored };
}

const json = (value: unknown): string => JSON.stringify(value);
const TEAM = "scope_team";
const at = "2026-03-01T10:00:00Z";

describe("what names no project belongs to the one that the command is run in", () => {
  const NOTES = { "CLAUDE.md": "- Use tabs everywhere\n" };
  test.each<[string, Record<string, string>, string[]]>([
    ["files for agents", NOTES, []],
    ["notes", { "a.md": "Use tabs everywhere\n" }, []],
    ["memories of mem0", { "m.json": json({ results: [{ id: "1", memory: "Use tabs everywhere" }] }) }, []],
    ["lines of JSON", { "l.jsonl": '{"record":"memory","content":"Use tabs everywhere"}\n' }, ["--from", "jsonl"]],
  ])("%s", async (_what, files, words) => {
    const { memories, report } = await importing(files, words);
    expect(Object.values(memories)).toEqual([["acme/shop", TEAM, "cli"]]);
    expect(report.projects).toEqual([{ name: null, records: 1, to: "acme/shop", why: "git remote" }]);
  });

  test("outside any, and with --no-scope, it is for everyone, and --project names another", async () => {
    const everyone = ["cli", null, "scope_org"];
    for (const [words, cwd] of [
      [[], outside],
      [["--no-scope"], inside],
    ] as const) {
      const { memories } = await importing(NOTES, words, cwd);
      expect(Object.values(memories).map(([fleet, visibility, agent]) => [agent, fleet, visibility])).toEqual([
        everyone,
      ]);
    }
    const named = await importing(NOTES, ["--project", "quay", "--agent", "ada"]);
    expect(Object.values(named.memories)).toEqual([["quay", TEAM, "ada"]]);
    write("elsewhere/told/.cairn.json", '{"project":"told"}');
    const told = await importing(NOTES, [], place("elsewhere/told"));
    expect(Object.values(told.memories)).toEqual([["told", TEAM, "cli"]]);
  });

  test("who imports is told where it went and how that is changed", async () => {
    const file = write("said/CLAUDE.md", "- Use tabs everywhere\n");
    const { err } = await cairnIn(place("said-in"), inside)(["import", file]);
    expect(err).toContain("1 record, to project acme/shop (git remote)");
    expect(err).toContain("`cairn move ID... --to PROJECT`");
    expect(err).toContain("--project NAME or --no-scope");
    const { err: open } = await cairnIn(place("said-out"), outside)(["import", file]);
    expect(open).toContain("1 record, for everyone (no project named)");
    expect(open).not.toContain("--no-scope");
  });

  test("entities, relations and documents of another tool go there too, and the same graph is stored in two", async () => {
    const graph = {
      "memory.jsonl": `${json({ type: "entity", name: "Ada", entityType: "person", observations: ["Keeps the oars"] })}\n${json({ type: "relation", from: "Ada", to: "Ada", relationType: "knows" })}\n`,
    };
    const { memories, stored } = await importing(graph);
    expect(Object.values(memories).every(([fleet]) => fleet === "acme/shop")).toBe(true);
    expect(stored("entity").flatMap(({ entries = [] }) => entries.map(({ fleet_id }) => fleet_id))).toEqual([
      "acme/shop",
    ]);
    expect(stored("relation").map(({ fleet_id }) => fleet_id)).toEqual(["acme/shop"]);
    const again = await cairnIn(
      place(`data-${count}`),
      inside,
    )([...["import", place(`data-${count}-files/memory.jsonl`), "--project", "quay"]]);
    expect(again.code).toBe(0);
    const both = await storedIn(`data-${count}`);
    expect(both("relation").map(({ fleet_id }) => fleet_id)).toEqual(["acme/shop", "quay"]);
  });
});

describe("the tool's own projects are projects here", () => {
  test("of engram, with what is personal for its author alone", async () => {
    const { observations, ...rest } = JSON.parse(ENGRAM);
    const mine = {
      ...observations[1],
      id: 9,
      sync_id: "mine",
      content: "I like it dark.",
      title: null,
      scope: "personal",
    };
    const loose = {
      ...observations[1],
      id: 10,
      sync_id: "loose",
      content: "Nobody says where.",
      title: null,
      project: null,
    };
    const { memories, report } = await importing(
      {
        "e.json": json({ ...rest, observations: [...observations, mine, loose] }),
      },
      ["--project", "quay"],
    );
    expect(memories["I like it dark."]).toEqual(["shop", "scope_agent", "cli"]);
    expect(memories["Nobody says where."]).toEqual(["quay", TEAM, "cli"]);
    expect(memories["Make the start page load faster"]).toEqual(["shop", TEAM, "cli"]);
    expect(memories["Replaced the cart's storage and tested it."]).toEqual(["shop", TEAM, "cli"]);
    expect(report.personal).toBe(1);
    expect(report.projects).toContainEqual({ name: "shop", records: 5, to: "shop", why: "its own name" });
  });

  test("of mem0, in its own member or the metadata", async () => {
    const results = [
      { id: "1", memory: "The first of four", project: "web", created_at: at },
      { id: "2", memory: "The second of four", metadata: { project: "api", scope: "private" }, created_at: at },
      { id: "3", memory: "The third of four", project: { id: 7 }, created_at: at },
    ];
    const { memories } = await importing({ "m.json": json({ results }) });
    expect(memories).toEqual({
      "The first of four": ["web", TEAM, "cli"],
      "The second of four": ["api", "scope_agent", "cli"],
      "The third of four": ["acme/shop", TEAM, "cli"],
    });
  });

  test("of claude.ai by their names, memory, instructions and files", async () => {
    const { memories, stored } = await importing({
      "memories.json": json([
        {
          conversations_memory: "Runs a bakery in Porto.",
          project_memories: { p1: "Recipes are for one kilogram.", p2: "This one has no name." },
        },
      ]),
      "projects.json": json([
        {
          uuid: "p1",
          name: "Recipes",
          prompt_template: "Metric units only.",
          docs: [{ uuid: "d", filename: "a.md", content: "Flour" }],
        },
      ]),
    });
    const fleets = Object.fromEntries(Object.entries(memories).map(([content, [fleet]]) => [content, fleet]));
    expect(fleets).toEqual({
      "Runs a bakery in Porto.": "acme/shop",
      "Recipes are for one kilogram.": "Recipes",
      "Project Recipes, instructions: Metric units only.": "Recipes",
      "This one has no name.": "p2",
    });
    expect(stored("document").map(({ fleet_id }) => fleet_id)).toEqual(["Recipes"]);
  });

  test("of ChatGPT by their ids, as its export has no names of them", async () => {
    const chat = (id: string, gizmo_id: string | null, said: string) => ({
      ...{ id, title: id, create_time: 1_760_000_000, current_node: "a", gizmo_id },
      mapping: {
        a: {
          parent: null,
          children: [],
          message: {
            id,
            author: { role: "user" },
            create_time: 1_760_000_000,
            content: { content_type: "text", parts: [said] },
          },
        },
      },
    });
    const chats = [chat("1", "g-p-1", "Said within a project"), chat("2", "g-7", "Said to some custom GPT")];
    const { memories } = await importing({ "conversations.json": json(chats) }, ["--map", "g-p-1=front"]);
    expect(memories).toMatchObject({
      "Said within a project": ["front", TEAM, "cli"],
      "Said to some custom GPT": ["acme/shop", TEAM, "cli"],
    });
  });

  test("of basic-memory, where a note says it, with its entities and relations", async () => {
    const { memories, stored } = await importing({ "n.md": NOTE.replace("type: note", "type: note\nproject: drinks") });
    expect(new Set(Object.values(memories).map(([fleet]) => fleet))).toEqual(new Set(["drinks"]));
    const whose = [...stored("relation"), ...stored("entity").flatMap(({ entries = [] }) => entries)];
    expect(new Set(whose.map(({ fleet_id }) => fleet_id))).toEqual(new Set(["drinks"]));
  });

  test("of folders that Claude Code keeps, which are named after the folder of the project", async () => {
    mkdirSync(place("code/my-app"), { recursive: true });
    const kept = (path: string) => path.replace(/[^A-Za-z0-9]/g, "-");
    const [here, gone] = [kept(place("code/my-app")), "-nowhere-home-me-lamp"];
    const { memories } = await importing({
      [`projects/${here}/memory/MEMORY.md`]: "Tests run with bun here.\n",
      [`projects/${gone}/memory/MEMORY.md`]: "The lamp is lit at dusk.\n",
    });
    expect(memories).toEqual({
      "Tests run with bun here.": ["my-app", TEAM, "cli"],
      "The lamp is lit at dusk.": ["lamp", TEAM, "cli"],
    });
    const one = await cairnIn(
      place("one-folder"),
      outside,
    )([...["import", place(`data-${count}-files/projects/${here}/memory`), "--json"]]);
    expect(Report.parse(JSON.parse(one.out)).projects).toMatchObject([{ to: "my-app" }]);
  });

  test("named by paths, they are called by the last steps that tell them apart", async () => {
    const session = (id: string, project: string) => ({
      id,
      project,
      started_at: at,
      summary: `Worked in session ${id}.`,
    });
    const sessions = [
      session("1", "/home/me/clientA/api"),
      session("2", "/home/me/clientB/api/"),
      session("3", "C:\\src\\lamp"),
    ];
    const { memories } = await importing({
      "e.json": json({ exported_at: at, sessions, observations: [], prompts: [] }),
    });
    expect(
      Object.values(memories)
        .map(([fleet]) => fleet)
        .sort(),
    ).toEqual(["clientA/api", "clientB/api", "lamp"]);
  });
});

describe("an export of Cairn keeps its projects", () => {
  const line = (content: string, more: object) =>
    json({ record: "memory", content, agent_id: "ada", created_at: at, ...more });
  const header = json({ record: "export", format: 1, release: "0", exported_at: at, tenant_id: "default", filter: {} });
  const EXPORT = `${[
    header,
    json({
      record: "entity",
      entity_type: "concept",
      canonical_name: "Lamp",
      entries: [
        {
          fleet_id: "web",
          entity_type: "concept",
          canonical_name: "Lamp",
          attributes: { a: 1 },
          aliases: [],
          created_at: at,
          updated_at: at,
        },
      ],
    }),
    json({ record: "document", collection: "plans", doc_id: "a", fleet_id: "web", data: { a: 1 } }),
    line("It is of the web", { fleet_id: "web", visibility: TEAM }),
    line("It is of everyone", { fleet_id: null, visibility: TEAM }),
    line("It is Ada's alone", { fleet_id: "web", visibility: "scope_agent" }),
    json({ record: "end", counts: { any: 5 } }),
  ].join("\n")}\n`;

  test("unless they are mapped", async () => {
    const plain = await importing({ "e.jsonl": EXPORT });
    expect(plain.memories).toEqual({
      "It is of the web": ["web", TEAM, "ada"],
      "It is of everyone": [null, TEAM, "ada"],
      "It is Ada's alone": ["web", "scope_agent", "ada"],
    });
    const here = await importing({ "e.jsonl": EXPORT }, ["--map", "web=."]);
    expect(here.memories["It is of the web"]).toEqual(["acme/shop", TEAM, "ada"]);
    expect(here.stored("document").map(({ fleet_id }) => fleet_id)).toEqual(["acme/shop"]);
    expect(here.stored("entity").flatMap(({ entries = [] }) => entries.map(({ fleet_id }) => fleet_id))).toEqual([
      "acme/shop",
    ]);
    const open = await importing({ "e.jsonl": EXPORT }, ["--map", "web=everyone"]);
    expect(open.memories["It is of the web"]).toEqual([null, "scope_org", "ada"]);
    expect(open.memories["It is Ada's alone"]).toEqual([null, "scope_agent", "ada"]);
  });

  test("as Markdown, too", async () => {
    const run = cairnIn(place("own"), inside);
    await run(["import", write("own.jsonl", EXPORT)]);
    for (const layout of ["memory", "project"]) {
      expect(
        (await run(["export", place(`own-${layout}`), "--format", "markdown", "--layout", layout, "--all-projects"]))
          .code,
      ).toBe(0);
      const back = cairnIn(place(`own-${layout}-back`), inside);
      expect((await back(["import", place(`own-${layout}`)])).code).toBe(0);
      const rows = (await storedIn(`own-${layout}-back`))("memory");
      expect(rows.map(({ fleet_id }) => fleet_id).sort()).toEqual([null, "web", "web"].sort());
    }
  });
});

describe("--map and --dry-run", () => {
  test("list the projects of the source with what they hold and where each would go", async () => {
    const file = write("listed.json", ENGRAM);
    const run = cairnIn(place("listed"), inside);
    const { err, out } = await run(["import", file, "--dry-run", "--map", "shop=front", "--map", "nope=x"]);
    expect(out).toContain("nothing is stored");
    expect(err).toContain("Its project shop: 4 records, to project front (--map).");
    expect(err).toContain("--map names 'nope'");
    const { out: told } = await run(["import", file, "--dry-run", "--json", "--map", "shop=everyone"]);
    expect(JSON.parse(told).projects).toEqual([{ name: "shop", records: 4, to: null, why: "--map" }]);
    expect((await storedIn("listed"))("memory")).toEqual([]);
  });

  test.each([
    [["--map", "web"], inside, "old=new"],
    [["--map", "=front"], inside, "old=new"],
    [["--map", "web="], inside, "old=new"],
    [["--map", "web=."], outside, "'.' is the project of this folder"],
    [["--map", "web=a", "--map", "web=b"], inside, "twice"],
    [["--map", `web=${"x".repeat(300)}`], inside, "names no project"],
  ])("written wrongly (%p), it says how, and stores nothing", async (words, cwd, said) => {
    const file = write("wrong.json", ENGRAM);
    const { code, err } = await cairnIn(place("wrong"), cwd)(["import", file, ...words]);
    expect([code, err]).toEqual([2, expect.stringContaining(said)]);
  });
});

describe("imported again for another project", () => {
  const Kept = z.object({
    kept: z.array(
      z.looseObject({
        id: z.string(),
        outcome: z.string(),
        fleet_id: z.string().nullable(),
        to: z.string().nullable(),
      }),
    ),
    twice: z.array(z.looseObject({ id: z.string(), fleet_id: z.string().nullable() })),
  });

  test("what is for everyone stays so, once, and it is told how it moves", async () => {
    const file = write("again/CLAUDE.md", "- Use tabs everywhere\n- Names are whole words\n");
    await cairnIn(place("again-data"), outside)(["import", file]);
    const run = cairnIn(place("again-data"), inside);
    const { err, out } = await run(["import", file]);
    const { kept } = Kept.parse(JSON.parse((await run(["import", file, "--json"])).out));
    expect(kept).toMatchObject([1, 2].map(() => ({ outcome: "different", fleet_id: null, to: "acme/shop" })));
    expect(err).toContain(
      `2 stay for everyone, where they were imported before: \`cairn move ${kept.map(({ id }) => id).join(" ")} --to acme/shop\` moves them.`,
    );
    expect(out).toContain("2 left where an import before had put them");
    expect((await storedIn("again-data"))("memory")).toHaveLength(2);
  });

  test("what a tool's project had taken stays there, whatever --map says now, and long lists are bounded", async () => {
    const sessions = Array.from({ length: 12 }, (_, i) => ({
      id: `${i}`,
      project: "web",
      started_at: at,
      summary: `Worked in session ${i}.`,
    }));
    const file = write("many.json", json({ exported_at: at, sessions, observations: [], prompts: [] }));
    const run = cairnIn(place("many"), outside);
    await run(["import", file]);
    const { err } = await run(["import", file, "--map", "web=the front"]);
    expect(err).toMatch(
      /12 stay in project web, .*: `cairn move( [0-9a-f-]{36}){10} --to 'the front'` and so on for 2 more, whose ids --json tells/,
    );
    const { out } = await run(["import", file, "--map", "web=the front", "--json"]);
    expect(Kept.parse(JSON.parse(out)).kept.map(({ fleet_id, to }) => [fleet_id, to])).toEqual(
      sessions.map(() => ["web", "the front"]),
    );
  });

  test("notes of one project are stored in the other as well, and it is told where they lie too", async () => {
    const file = write("both/CLAUDE.md", "- Use tabs everywhere\n");
    const run = cairnIn(place("both-data"), outside);
    await run(["import", file, "--project", "a"]);
    const { err } = await run(["import", file, "--project", "b"]);
    expect(err).toMatch(/1 lies in project a too, from an import before: `cairn rm [0-9a-f-]{36}`/);
    expect(
      (await storedIn("both-data"))("memory")
        .map(({ fleet_id }) => fleet_id)
        .sort(),
    ).toEqual(["a", "b"]);
    expect((await run(["import", file, "--project", "b"])).err).not.toContain("lies in");
  });
});
