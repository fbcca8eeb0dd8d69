import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { temporaryFolder } from "../support/app.ts";
import { cairnIn } from "../support/command-line.ts";

setDefaultTimeout(60_000);
const root = temporaryFolder();
afterAll(root.remove);
const place = (...names: string[]): string => join(root.path, ...names);
const cairn = (folder: string) => cairnIn(place(folder), root.path);

const Report = z.object({
  format: z.string(),
  counts: z.object({
    created: z.int(),
    exists: z.int(),
    duplicate: z.int(),
    different: z.int(),
    deleted: z.int(),
    skipped: z.int(),
    refused: z.int(),
  }),
  refusals: z.array(z.object({ place: z.object({ file: z.string(), line: z.int() }), error: z.string() })),
});
const reportOf = (out: string) => Report.parse(JSON.parse(out));
const NONE = { created: 0, exists: 0, duplicate: 0, different: 0, deleted: 0, skipped: 0, refused: 0 };

const sorted = (lines: string): string[] => lines.split("\n").slice(1, -1).sort();
const ROWS = ["The harbour office opens at seven.", "The night ferry leaves from pier four."];

beforeAll(async () => {
  const run = cairn("source");
  for (const row of ROWS) expect(await run(["add", row, "--project", "quay"])).toMatchObject({ code: 0 });
  expect(await run(["docs", "put", "plans", "launch", '{"summary":"Launch plan","day":"Friday"}'])).toMatchObject({
    code: 0,
  });
  const made = await run(["export", place("all.jsonl"), "--all-projects"]);
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining("2 memories") });
});

describe("cairn export", () => {
  test("leaves a destination alone that is there, and says so", async () => {
    const { code, err } = await cairn("source")(["export", place("all.jsonl")]);
    expect([code, err]).toEqual([1, expect.stringContaining("already")]);
  });

  test.each(["jsonl", "markdown"])("into a folder that is none says so, as %s", async (format) => {
    const missing = await cairn("source")(["export", place("nowhere", "all"), "--format", format]);
    const [folder, file] = [place("nowhere"), place("all.jsonl")];
    expect(missing).toEqual({ code: 1, out: "", err: `cairn: There is no folder ${folder}. Make it first.` });
    const within = await cairn("source")(["export", join(file, "all"), "--format", format]);
    expect(within).toEqual({
      code: 1,
      out: "",
      err: `cairn: ${file} is no folder. Name another destination.`,
    });
  });

  test.each(["memory", "project"])("as Markdown by %s comes back as it was", async (layout) => {
    const folder = place(`as-${layout}`);
    const made = await cairn("source")([
      "export",
      folder,
      "--format",
      "markdown",
      "--layout",
      layout,
      "--all-projects",
    ]);
    expect(made.code).toBe(0);
    expect(readdirSync(join(folder, "memories")).length).toBe(1);
    // Where an agent is at home is what its keys may read: that takes trust.
    const back = await cairn(`from-${layout}`)(["import", folder, "--trust-source", "--yes", "--json"]);
    expect(reportOf(back.out)).toMatchObject({ format: "cairn", counts: { ...NONE, created: 5 } });
    const [one, other] = [
      await cairn(`from-${layout}`)(["export", "-", "--all-projects"]),
      await cairn("source")(["export", "-", "--all-projects"]),
    ];
    expect(sorted(one.out)).toEqual(sorted(other.out));
  });
});

describe("cairn import", () => {
  test("as a dry run stores nothing", async () => {
    const run = cairn("dry");
    const { code, out, err } = await run(["import", place("all.jsonl"), "--dry-run"]);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining("nothing is stored. Read as jsonl: 3 would be stored, 2 left out"),
    ]);
    // What it says is shown here: nobody is sent to where they are.
    expect(err).toContain("left out: --trust-source brings it");
    expect((await run(["export", "-", "--all-projects"])).out.split("\n")).toHaveLength(2);
  });

  test("tells refusals with their lines, stores the rest, and exits with 1", async () => {
    const file = place("notes.jsonl");
    const lines = [
      '{"record":"memory","content":"A lantern hangs at pier nine."}',
      "no json",
      '{"record":"memory","content":"x"}',
      '{"record":"memory","content":"A lantern hangs at pier nine.","created_at":"2025-01-01"}',
    ];
    writeFileSync(file, lines.join("\n"));
    const { code, out } = await cairn("lines")(["import", file, "--from", "jsonl", "--json"]);
    expect(code).toBe(1);
    const { counts, refusals } = reportOf(out);
    expect(counts).toEqual({ ...NONE, created: 1, duplicate: 1, refused: 2 });
    expect(JSON.parse(out).kept).toMatchObject([{ place: { file: "notes.jsonl", line: 4 }, outcome: "duplicate" }]);
    expect(refusals.map((one) => [one.place.file, one.place.line])).toEqual([
      ["notes.jsonl", 2],
      ["notes.jsonl", 3],
    ]);
  });

  test("of an export that was edited says which lines differ, and how what is here is changed", async () => {
    const folder = place("edited");
    const run = cairn("edited-here");
    const { out: id } = await run(["add", "The harbour light is painted white."]);
    await run(["export", folder, "--format", "markdown", "--layout", "project"]);
    const [name = ""] = readdirSync(join(folder, "memories"));
    const file = join(folder, "memories", name);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("painted white", "painted green"));
    const { err, out } = await run(["import", folder]);
    expect(err).toContain(`differs from ${id}, which stays as it is: \`cairn edit ${id}\` changes it`);
    expect(out).toContain("1 left as they are here");
    expect(await run(["edit", id, "--text", "The harbour light is painted green."])).toMatchObject({ code: 0 });
    await run(["rm", id, "--yes"]);
    expect((await run(["import", folder])).err).toContain(`was deleted here: \`cairn restore ${id}\``);
  });

  test("reads notes under their headings, for the project that is named", async () => {
    mkdirSync(place("notes"));
    writeFileSync(
      place("notes", "style.md"),
      "# Shop\n\n## Code style\n\n- Tabs, never spaces\n- Names are whole words\n",
    );
    const run = cairn("notes-here");
    const { out } = await run(["import", place("notes"), "--project", "shop", "--agent", "ada", "--json"]);
    expect(reportOf(out)).toMatchObject({ format: "markdown", counts: { created: 2 } });
    const listed = JSON.parse((await run(["list", "--project", "shop", "--json"])).out);
    expect(listed.items).toHaveLength(2);
    expect(listed.items[0]).toMatchObject({ fleet_id: "shop", agent_id: "ada" });
  });

  test("stores the same file for each project that has it, once, and tells what else is there in its place", async () => {
    mkdirSync(place("twice"));
    const file = place("twice", "CLAUDE.md");
    writeFileSync(file, "# House rules\n\n- Tabs, never spaces\n- Names are whole words\n- TODO\n");
    const run = cairn("two-projects");
    const into = async (project: string) => reportOf((await run(["import", file, "--project", project, "--json"])).out);
    expect((await into("proj-a")).counts).toEqual({ ...NONE, created: 2, skipped: 1 });
    expect((await into("proj-b")).counts).toEqual({ ...NONE, created: 2, skipped: 1 });
    for (const project of ["proj-a", "proj-b"]) {
      expect((await into(project)).counts).toEqual({ ...NONE, exists: 2, skipped: 1 });
      const { items } = JSON.parse((await run(["list", "--project", project, "--json"])).out);
      expect(items).toHaveLength(2);
    }
    const [line = ""] = sorted((await run(["export", "-", "--project", "proj-a"])).out);
    writeFileSync(place("moved.jsonl"), line.replace('"fleet_id":"proj-a"', '"fleet_id":"proj-c"'));
    const { err } = await run(["import", place("moved.jsonl"), "--from", "jsonl"]);
    expect(err).toMatch(/1 stays in project proj-a, .*`cairn move \S+ --to proj-c`/);
  });

  test.each<[string, (file: string) => void, string]>([
    [
      "an export that ends in the middle",
      (file) => writeFileSync(file, readFileSync(place("all.jsonl"), "utf8").slice(0, -40)),
      "ends in the middle",
    ],
    ["another encoding", (file) => writeFileSync(file, Buffer.from("\ufeffnotes of the harbour", "utf16le")), "UTF-8"],
    ["no known format", (file) => writeFileSync(file, '{"harbour": 1}'), "format"],
    ["a file that is not there", () => {}, "gone.jsonl"],
  ])("of %s says so and stores nothing", async (_, make, said) => {
    const file = place("gone.jsonl");
    make(file);
    const run = cairn("bad");
    const { code, err } = await run(["import", file]);
    expect([code, err]).toEqual([1, expect.stringContaining(said)]);
    expect((await run(["export", "-", "--all-projects"])).out.split("\n")).toHaveLength(2);
    if (existsSync(file)) writeFileSync(file, "");
    await Bun.file(file)
      .delete()
      .catch(() => {});
  });
});
