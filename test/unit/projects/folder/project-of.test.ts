import { afterAll, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ProjectError } from "../../../../src/projects/folder/error.ts";
import { personOf } from "../../../../src/projects/folder/person.ts";
import { namedProject, projectOf as projectFor } from "../../../../src/projects/folder/project-of.ts";
import { temporaryFolder } from "../../../support/app.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
/** The project of a folder for whoever runs this, with another home folder. */
const projectOf = (path: string, home = folder.path) => projectFor(path, { ...personOf({}), home });
let count = 0;
/** A home folder with files in it, and files beside it. */
async function aHome(within: Record<string, string>, above: Record<string, string> = {}): Promise<string> {
  const top = join(folder.path, String(++count));
  for (const [path, text] of Object.entries(above)) await Bun.write(join(top, path), text);
  for (const [path, text] of Object.entries(within)) await Bun.write(join(top, "home", path), text);
  return join(top, "home");
}
const remote = (name: string) => `[remote "origin"]\n\turl = git@example.com:team/${name}.git\n`;

test("within the home folder, nothing above it names the project", async () => {
  const home = await aHome({ "work/shop/a.txt": "" }, { ".cairn.json": '{"project": "above"}' });
  expect(projectOf(join(home, "work/shop"), home)).toBeNull();
  expect(projectOf(home, home)).toBeNull();
  expect(projectOf(join(home, ".."), home)?.name).toBe("above");
  const linked = `${home}-linked`;
  symlinkSync(home, linked);
  expect(projectOf(join(home, "work"), linked)).toBeNull();
  await Bun.write(join(home, ".cairn.json"), '{"project": "At-Home"}');
  expect(projectOf(join(home, "work/shop"), home)).toEqual({ name: "At-Home", source: ".cairn.json" });
});

test("a name of a git remote is taken in small letters, and one of a file as it is written", async () => {
  const home = await aHome({ "a/.git/config": remote("Heron"), "b/.git/config": remote("heron") });
  for (const one of ["a", "b"])
    expect(projectOf(join(home, one), home)).toEqual({ name: "heron", source: "git remote" });
  await Bun.write(join(home, "a/.cairn.json"), '{"project": " Heron "}');
  expect(projectOf(join(home, "a"), home)?.name).toBe("Heron");
});

test.each([
  ["a name of several lines", '{"project": "a\\nb"}', "control characters"],
  ["unseen letters", `{"project": "a\u{e0041}b"}`, "control characters"],
  ["a long name", JSON.stringify({ project: "a".repeat(201) }), "200"],
  ["no name", '{"projct": "a"}', "expected string"],
  ["half of it", '{"project": "a', "JSON"],
])("a file with %s is refused by its path", async (_, text, why) => {
  const home = await aHome({ "shop/.cairn.json": text });
  const look = () => projectOf(join(home, "shop"), home);
  expect(look).toThrow(ProjectError);
  expect(look).toThrow(join(home, "shop/.cairn.json"));
  expect(look).toThrow(why);
});

test("a file that cannot be read is no absent one", async () => {
  const home = await aHome({});
  mkdirSync(join(home, "shop/.cairn.json"), { recursive: true });
  expect(() => projectOf(join(home, "shop"), home)).toThrow(join(home, "shop/.cairn.json"));
});

test("a name of a remote or of an argument with control characters is refused", async () => {
  const home = await aHome({ "shop/.git/config": remote("a\u0007b") });
  expect(() => projectOf(join(home, "shop"), home)).toThrow(`The git remote of ${join(home, "shop")}`);
  expect(() => namedProject("a\u001b[2Jb", "argument", "--project")).toThrow("--project names no project");
});

test("a pipe of that name is refused at once instead of being waited for, and a mark before the text does not matter", async () => {
  const place = join(folder.path, "pipe");
  mkdirSync(place);
  Bun.spawnSync(["mkfifo", join(place, ".cairn.json")]);
  expect(() => projectOf(place)).toThrow("it is no file");
  const marked = join(folder.path, "marked");
  mkdirSync(marked);
  await Bun.write(join(marked, ".cairn.json"), '\ufeff{"project": "heron"}');
  expect(projectOf(marked)).toMatchObject({ name: "heron" });
});
