import { afterAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { projectNames } from "../../../src/cli/transfer/project-names.ts";
import { keptProject, namedFolder } from "../../../src/formats/project-folders.ts";
import { temporaryFolder } from "../../support/app.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
const namesOf = (...written: string[]) => [...projectNames(written).values()];

test("a name stays as it is, with its owner, and what no line can show is left out of it", () => {
  expect(namesOf("shop", "acme/shop", "Two words", "a\nb\u200b")).toEqual(["shop", "acme/shop", "Two words", "a b"]);
  expect(namesOf("\u200b", " ")).toEqual([]);
  expect(namesOf("x".repeat(300))).toEqual(["x".repeat(200)]);
});

test("a path is called by its last step, or by as many as tell it from the others", () => {
  expect(namesOf("/home/me/shop", "~/lamp/", "C:\\src\\quay", "../pier", "/")).toEqual([
    "shop",
    "lamp",
    "quay",
    "pier",
  ]);
  expect(namesOf("/a/one/api", "/a/two/api", "/a/two/api/")).toEqual(["one/api", "two/api", "two/api"]);
  expect(namesOf("/a/x/api", "/b/x/api", "/c/y/api")).toEqual(["a/x/api", "b/x/api", "y/api"]);
  expect(namesOf("api", "/home/me/api")).toEqual(["api", "me/api"]);
});

test("many paths are named in time that grows as they do", () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `/home/me/${i}/api`);
  const took = (count: number): number => {
    const begun = performance.now();
    expect(new Set(projectNames(many(count)).values()).size).toBe(count);
    return performance.now() - begun;
  };
  took(2_000);
  expect(took(40_000)).toBeLessThan(100 * Math.max(took(4_000), 5));
});

test("the folder that Claude Code names a project by is found, whatever signs its name has", async () => {
  const kept = (path: string): string => path.replace(/[^A-Za-z0-9]/g, "-");
  for (const name of ["my", "my-app", "my-app/my.app_two"]) mkdirSync(join(folder.path, name), { recursive: true });
  for (const name of ["my", "my-app", "my-app/my.app_two"]) {
    const path = join(folder.path, name);
    const written = keptProject(join("/x/projects", kept(path), "memory/MEMORY.md"));
    expect(await namedFolder(written ?? "")).toBe(path);
  }
  expect(await namedFolder("-nowhere-to-be-found")).toBe("/nowhere/to/be/found");
  expect(await namedFolder("C--Users-me-lamp")).toBe("C/Users/me/lamp");
  for (const path of ["memory/MEMORY.md", "/a-b/memory/x.md", "notes/-x/a.md"]) expect(keptProject(path)).toBeNull();
});
