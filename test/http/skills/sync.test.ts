import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { SkillTargets } from "../../../src/cli/skills/sync.ts";
import { syncSkills } from "../../../src/cli/skills/sync.ts";
import { documentsApi } from "../../support/api/documents.ts";
import { enableFactory, skillsApi } from "../../support/api/skills.ts";
import { temporaryFolder } from "../../support/app.ts";
import { openApp } from "../../support/in-process.ts";

const { app, client } = await openApp();
afterAll(() => app.stop());
await enableFactory(client);
const admin = skillsApi(client);

let folder = temporaryFolder();
let dir = "";
beforeEach(async () => {
  folder = temporaryFolder();
  dir = join(folder.path, "skills");
  for (const { doc_id } of await documentsApi(client).list("skills"))
    await documentsApi(client).remove("skills", doc_id);
  await admin.write("tidy", {
    source: "manual",
    status: "active",
    description: 'Say "tidy": # yes',
    content: "Put it back.\n\n",
  });
  await admin.write("mend", { source: "agent", status: "active" });
});
afterEach(() => folder.remove());

type Mode = "owned" | "additive";
const sync = (
  mode: Mode,
  options: { dryRun?: boolean; prune?: boolean; fleet?: string } = {},
  settings: Partial<SkillTargets> = {},
) =>
  syncSkills(app.call, options, {
    targets: [{ dir, mode, register: false }],
    home: folder.path,
    ...settings,
  }).then(({ lines, remark }) => ({ out: lines.join("\n"), remark }));
const file = (name: string) => join(dir, name, "SKILL.md");
const read = (name: string) => readFileSync(file(name), "utf8");
/** Everything below a folder, with what it holds or where it leads. */
function snapshot(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found[path] = readFileSync(path, "utf8");
    else found[path] = entry.isSymbolicLink() ? "link" : "folder";
  }
  return found;
}

describe.each(["owned", "additive"] as const)("a target of mode %s", (mode) => {
  test("gets a folder for each active skill, by its bare slug, as harnesses read it", async () => {
    await admin.write("waiting", { source: "manual" });
    const { out, remark } = await sync(mode);
    expect(readdirSync(dir).sort()).toEqual([".cairn-skills.json", "mend", "tidy"]);
    expect(read("tidy")).toBe('---\nname: tidy\ndescription: "Say \\"tidy\\": # yes"\n---\n\nPut it back.\n');
    expect(out.split("\n").sort()).toEqual([`write     ${join(dir, "mend")}`, `write     ${join(dir, "tidy")}`]);
    expect(remark).toStartWith("2 written");
  });

  test("is left as it is by a second run", async () => {
    await sync(mode);
    const before = { ...snapshot(dir), written: statSync(file("tidy")).mtimeMs };
    expect(await sync(mode)).toMatchObject({ out: "", remark: expect.stringContaining("2 unchanged") });
    expect({ ...snapshot(dir), written: statSync(file("tidy")).mtimeMs }).toEqual(before);
  });

  test("follows what is changed, retired and deleted", async () => {
    await sync(mode);
    await admin.write("tidy", { source: "manual", status: "active", content: "Put it back, clean." });
    await documentsApi(client).remove("skills", "agent/mend");
    const { out } = await sync(mode);
    expect(out.split("\n")).toEqual([`update    ${join(dir, "tidy")}`, `remove    ${join(dir, "mend")}`]);
    expect(read("tidy")).toContain("clean");
    expect(existsSync(join(dir, "mend"))).toBe(false);
  });

  test("is not touched by a dry run, which tells what would happen", async () => {
    const { out, remark } = await sync(mode, { dryRun: true });
    expect(existsSync(dir)).toBe(false);
    expect([out.split("\n").length, remark]).toEqual([2, expect.stringContaining("Nothing was done")]);
    await sync(mode);
    await documentsApi(client).remove("skills", "tidy");
    const before = snapshot(dir);
    expect((await sync(mode, { dryRun: true })).out).toBe(`remove    ${join(dir, "tidy")}`);
    expect(snapshot(dir)).toEqual(before);
  });

  test("keeps what somebody else put there", async () => {
    mkdirSync(join(dir, "tidy"), { recursive: true });
    mkdirSync(join(dir, "theirs"));
    writeFileSync(file("tidy"), "Written by hand.");
    writeFileSync(file("theirs"), "Theirs.");
    writeFileSync(join(dir, "notes.txt"), "Notes.");
    const { out } = await sync(mode);
    expect(out).toContain(`skip      ${join(dir, "tidy")}  (somebody else wrote it)`);
    expect(read("tidy")).toBe("Written by hand.");
    await documentsApi(client).remove("skills", "tidy");
    await sync(mode);
    expect([read("tidy"), read("theirs"), existsSync(join(dir, "notes.txt"))]).toEqual([
      "Written by hand.",
      "Theirs.",
      true,
    ]);
  });

  test("never writes or deletes through a link", async () => {
    const outside = join(folder.path, "outside");
    mkdirSync(join(outside, "kept"), { recursive: true });
    writeFileSync(join(outside, "SKILL.md"), "Outside.");
    writeFileSync(join(outside, "kept", "SKILL.md"), "Outside, kept.");
    mkdirSync(join(dir, "mend"), { recursive: true });
    symlinkSync(outside, join(dir, "tidy"));
    symlinkSync(join(outside, "SKILL.md"), file("mend"));
    const before = snapshot(outside);
    await sync(mode, { prune: true });
    expect(snapshot(outside)).toEqual(before);
    // What was ours and has since become a link is let go of, not followed.
    rmSync(join(dir, "tidy"));
    rmSync(join(dir, "mend"), { recursive: true });
    await sync(mode);
    rmSync(join(dir, "tidy"), { recursive: true });
    symlinkSync(outside, join(dir, "tidy"));
    await documentsApi(client).remove("skills", "tidy");
    await sync(mode, { prune: true });
    expect(snapshot(outside)).toEqual(before);
    expect(lstatSync(join(dir, "tidy")).isSymbolicLink()).toBe(true);
  });

  test("may itself be a link: what it leads to is the target", async () => {
    const real = join(folder.path, "real");
    mkdirSync(real);
    symlinkSync(real, dir);
    await sync(mode);
    expect(existsSync(join(real, "tidy", "SKILL.md"))).toBe(true);
    expect(lstatSync(dir).isSymbolicLink()).toBe(true);
  });

  test("leaves no half-written file behind when it cannot write", async () => {
    mkdirSync(join(dir, "mend", "SKILL.md"), { recursive: true });
    await sync(mode);
    expect(Object.keys(snapshot(dir)).filter((path) => path.endsWith(".tmp"))).toEqual([]);
    expect(existsSync(file("tidy"))).toBe(true);
  });

  test("is refused when its list of what is ours was tampered with, and then nothing is touched", async () => {
    await sync(mode);
    for (const text of [
      "{",
      "[]",
      '{"version":1,"skills":{"../../etc":{"sha256":"x"}}}',
      '{"version":2,"skills":{}}',
    ]) {
      writeFileSync(join(dir, ".cairn-skills.json"), text);
      const before = snapshot(folder.path);
      await expect(sync(mode)).rejects.toThrow(".cairn-skills.json is not what Cairn wrote");
      expect(snapshot(folder.path)).toEqual(before);
    }
  });
});

describe("what was changed by hand", () => {
  test("is put right in an owned target", async () => {
    await sync("owned");
    writeFileSync(file("tidy"), "Changed.");
    writeFileSync(join(dir, "mend", "extra.md"), "More.");
    await documentsApi(client).remove("skills", "agent/mend");
    await sync("owned");
    expect(read("tidy")).toContain("Put it back.");
    expect(existsSync(join(dir, "mend"))).toBe(false);
  });

  test("stays in an additive target, and so does what lies beside it", async () => {
    await sync("additive");
    writeFileSync(file("tidy"), "Changed.");
    writeFileSync(join(dir, "mend", "extra.md"), "More.");
    await documentsApi(client).remove("skills", "agent/mend");
    expect((await sync("additive")).out).toContain("(it was changed by hand)");
    expect([read("tidy"), readdirSync(join(dir, "mend"))]).toEqual(["Changed.", ["extra.md"]]);
    await documentsApi(client).remove("skills", "tidy");
    await sync("additive");
    await sync("additive");
    expect(read("tidy")).toBe("Changed.");
  });
});

describe("--prune", () => {
  const strangers = () => {
    for (const name of ["theirs", "tidy"]) {
      mkdirSync(join(dir, name), { recursive: true });
      writeFileSync(file(name), "Theirs.");
    }
    mkdirSync(join(dir, "no-skill"));
    writeFileSync(join(dir, "notes.txt"), "Notes.");
  };

  test("makes an owned target hold the active skills and no others", async () => {
    strangers();
    await sync("owned", { prune: true });
    expect(readdirSync(dir).sort()).toEqual([".cairn-skills.json", "mend", "no-skill", "notes.txt", "tidy"]);
    expect(read("tidy")).toContain("Put it back.");
  });

  test("means nothing to an additive one", async () => {
    strangers();
    await sync("additive", { prune: true });
    expect([read("tidy"), read("theirs")]).toEqual(["Theirs.", "Theirs."]);
  });
});

describe("register", () => {
  const harness = () => join(folder.path, "harness.json");
  const registering = (
    options: { dryRun?: boolean; prune?: boolean; fleet?: string } = {},
    register: string | undefined = harness(),
  ) => sync("additive", options, { targets: [{ dir, mode: "additive", register: true }], register });

  test("adds the folder to the harness's list once, and keeps everything else", async () => {
    writeFileSync(
      harness(),
      JSON.stringify({ theme: "dark", skills: { load: { extraDirs: ["/opt/skills"], watch: true } } }),
    );
    chmodSync(harness(), 0o600);
    await registering();
    await registering();
    expect(JSON.parse(readFileSync(harness(), "utf8"))).toEqual({
      theme: "dark",
      skills: { load: { extraDirs: ["/opt/skills", dir], watch: true } },
    });
    expect(statSync(harness()).mode & 0o777).toBe(0o600);
  });

  test("makes the list where there is none, at the place that the setting names", async () => {
    await registering({}, `${harness()}#plugins.folders`);
    expect(JSON.parse(readFileSync(harness(), "utf8"))).toEqual({ plugins: { folders: [dir] } });
  });

  test("is planned and not done by a dry run", async () => {
    expect((await registering({ dryRun: true })).out).toContain(`register  ${dir} in ${harness()}`);
    expect(existsSync(harness())).toBe(false);
  });

  test.each([
    ["no JSON", "// comments\n{}"],
    ["a list", "[]"],
    ["a list of other things", '{"skills":{"load":{"extraDirs":[1]}}}'],
    ["something else on the way", '{"skills":"all"}'],
  ])("refuses a file that holds %s, and then nothing is touched", async (_, text) => {
    writeFileSync(harness(), text);
    await expect(registering()).rejects.toThrow(harness());
    expect([readFileSync(harness(), "utf8"), existsSync(dir)]).toEqual([text, false]);
  });

  test("asks for the file when none is set", async () => {
    const targets = [{ dir, mode: "additive", register: true }] as const;
    await expect(sync("additive", {}, { targets })).rejects.toThrow("CAIRN_SKILL_REGISTER");
  });
});

describe("a command that cannot be meant", () => {
  test("needs targets, each an absolute path or one below home", async () => {
    await expect(sync("owned", {}, { targets: [] })).rejects.toThrow("CAIRN_SKILL_TARGETS");
    for (const relative of ["skills", "./skills", "../skills", "~ada/skills"])
      await expect(sync("owned", {}, { targets: [{ dir: relative, mode: "owned", register: false }] })).rejects.toThrow(
        "absolute",
      );
    await sync("owned", {}, { targets: [{ dir: "~/below/skills", mode: "owned", register: false }] });
    expect(existsSync(join(folder.path, "below", "skills", "tidy", "SKILL.md"))).toBe(true);
  });

  test("does not take a file for a folder", async () => {
    writeFileSync(dir, "A file.");
    await expect(sync("owned")).rejects.toThrow("is no folder");
  });
});

test("of two skills with one slug the one changed last is written; plain documents that are no skills are not", async () => {
  await Bun.sleep(2);
  await admin.write("tidy", { source: "agent", status: "active", content: "The newer one." });
  await enableFactory(client, { enabled: false });
  await documentsApi(client).put("skills", "bare", { description: "Without content." });
  await sync("owned");
  expect(read("tidy")).toContain("The newer one.");
  expect(existsSync(join(dir, "bare"))).toBe(false);
  await enableFactory(client);
});

test("a fleet gets its own skills when asked for", async () => {
  await admin.write("red-one", { source: "manual", status: "active" }, { fleet_id: "red" });
  await sync("owned", { fleet: "red" });
  expect(readdirSync(dir).sort()).toEqual([".cairn-skills.json", "red-one"]);
});

test("more skills than one list holds are all written, and none is taken for retired", async () => {
  const many = await openApp();
  const count = 1_001;
  for (let i = 0; i < count; i++)
    await skillsApi(many.client).write(`skill-${i}`, { source: "manual", status: "active" });
  const run = () =>
    syncSkills(many.app.call, {}, { targets: [{ dir, mode: "owned", register: false }], home: folder.path });
  expect((await run()).remark).toContain(`${count} written`);
  await enableFactory(many.client, { openclaw_bridge: { enabled: true } });
  expect((await run()).remark).toContain(`0 removed, ${count} unchanged`);
  await many.app.stop();
});
