import { afterAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { evidenceOf } from "../../../../src/projects/folder/evidence.ts";
import { personOf } from "../../../../src/projects/folder/person.ts";
import { temporaryFolder } from "../../../support/app.ts";

/** Against a hang alone. */
setDefaultTimeout(60_000);

const folder = temporaryFolder();
afterAll(() => folder.remove());
let shop = "";
let file = "";
let count = 0;
beforeEach(() => {
  shop = join(realpathSync(folder.path), String(++count));
  mkdirSync(join(shop, ".git"), { recursive: true });
  writeFileSync(join(shop, ".git/HEAD"), "ref: refs/heads/main\n");
  file = join(shop, ".git/cairn/project.json");
});

const person = { ...personOf({}), home: folder.path, machine: "desk" };
const gathered = (save: boolean) => evidenceOf(shop, person, { save });
const ID = "11111111-1111-4111-8111-111111111111";
const text = (more: object = {}) => JSON.stringify({ id: ID, remote: null, folder: join(shop, ".git"), ...more });
const put = (words: string) => {
  mkdirSync(join(shop, ".git/cairn"), { recursive: true });
  writeFileSync(file, words);
};

test("it is written for its owner alone, with what it was made for", () => {
  const { evidence } = gathered(true);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    id: evidence.kept,
    remote: null,
    folder: join(shop, ".git"),
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(shop, ".git/cairn")).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(shop, ".git/cairn"))).toEqual(["project.json"]);
});

test("one that is there is read and never written over", () => {
  put(text({ more: 1 }));
  expect(gathered(true).evidence.kept).toBe(ID);
  expect(readFileSync(file, "utf8")).toBe(text({ more: 1 }));
});

test.each<[what: string, make: () => void, why: string]>([
  ["half of it", () => put(text().slice(0, -3)), "no JSON"],
  ["another JSON", () => put('{"id": "shop"}'), "not what Cairn wrote"],
  ["a path that a terminal would obey", () => put(text({ folder: "/a\u001b[2J" })), "not what Cairn wrote"],
  ["more than 4 KiB", () => put(`${text()}${" ".repeat(4_096)}`), "more than 4 KiB"],
  [
    "a link",
    () => {
      put("");
      rmSync(file);
      writeFileSync(join(shop, "elsewhere"), text());
      symlinkSync(join(shop, "elsewhere"), file);
    },
    "a link",
  ],
  [
    "a folder that is a link",
    () => {
      mkdirSync(join(shop, "elsewhere"));
      writeFileSync(join(shop, "elsewhere/project.json"), text());
      symlinkSync(join(shop, "elsewhere"), join(shop, ".git/cairn"));
    },
    "a link",
  ],
  [
    "a pipe",
    () => {
      mkdirSync(join(shop, ".git/cairn"));
      Bun.spawnSync(["mkfifo", file]);
    },
    "a device or a pipe",
  ],
  ["a folder", () => mkdirSync(file, { recursive: true }), "a folder"],
])("%s in its place is passed over, told and left as it is", (_what, make, why) => {
  make();
  for (const save of [false, true]) {
    const { evidence, warnings } = gathered(save);
    expect(evidence).toEqual({ folder: `desk:${join(shop, ".git")}`, at: `desk:${shop}` });
    expect(warnings).toEqual([expect.stringContaining(why)]);
    expect(warnings[0]).toContain(file);
    expect(warnings[0]).not.toContain("\u001b");
  }
});

test("nothing is written through a link in the place of its folder", () => {
  mkdirSync(join(shop, "elsewhere"));
  symlinkSync(join(shop, "elsewhere"), join(shop, ".git/cairn"));
  const { evidence, warnings } = gathered(true);
  expect(evidence.folder).toBe(`desk:${join(shop, ".git")}`);
  expect(warnings).toEqual([expect.stringContaining("cannot be written")]);
  expect(readdirSync(join(shop, "elsewhere"))).toEqual([]);
});

test.skipIf(process.getuid?.() === 0)("where nothing may be written the folder itself tells", () => {
  chmodSync(join(shop, ".git"), 0o500);
  expect(gathered(true).evidence).toEqual({ folder: `desk:${join(shop, ".git")}`, at: `desk:${shop}` });
});

test("where the place is taken by a file the folder itself tells", () => {
  writeFileSync(join(shop, ".git/cairn"), "");
  expect(gathered(true).evidence).toEqual({ folder: `desk:${join(shop, ".git")}`, at: `desk:${shop}` });
});

test("processes that save at once end with one id", async () => {
  const source = (name: string) => JSON.stringify(join(import.meta.dir, "../../../../src/projects/folder", name));
  const script = (ready: string) => `
    const { existsSync, writeFileSync } = await import("node:fs");
    const { evidenceOf } = await import(${source("evidence.ts")});
    const { personOf } = await import(${source("person.ts")});
    writeFileSync(${JSON.stringify(ready)}, "");
    while (!existsSync(${JSON.stringify(join(shop, "go"))})) {}
    console.log(evidenceOf(${JSON.stringify(shop)}, personOf({}), { save: true }).evidence.kept);`;
  const marks = Array.from({ length: 6 }, (_, i) => join(shop, `ready-${i}`));
  const children = marks.map((mark) => Bun.spawn([process.execPath, "-e", script(mark)], { stdout: "pipe" }));
  while (!marks.every((mark) => existsSync(mark))) await Bun.sleep(10);
  writeFileSync(join(shop, "go"), "");
  const said = await Promise.all(children.map(({ stdout }) => new Response(stdout).text()));
  expect(said).toEqual(Array(6).fill(`${gathered(false).evidence.kept}\n`));
  expect(readdirSync(join(shop, ".git/cairn"))).toEqual(["project.json"]);
});
