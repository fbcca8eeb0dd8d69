import { afterAll, expect, test } from "bun:test";
import { lockFolder } from "../../src/storage/sqlite/engine/folder-lock.ts";
import { temporaryFolder } from "../support/app.ts";
import { cairnIn } from "../support/command-line.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
const cairn = cairnIn(folder.path, folder.path);

test("a folder that another process has for a moment is waited for", async () => {
  const lock = lockFolder(folder.path);
  const added = cairn(["add", "We deploy on Tuesdays."]);
  setTimeout(() => lock.release(), 1_000);
  expect(await added).toMatchObject({ code: 0 });
  const again = lockFolder(folder.path);
  const checked = cairn(["rebuild"]);
  setTimeout(() => again.release(), 1_000);
  expect(await checked).toMatchObject({ code: 0 });
});

test("one that stays taken is refused with the process that has it", async () => {
  const lock = lockFolder(folder.path);
  const { code, err } = await cairn(["list"]);
  lock.release();
  expect(code).toBe(1);
  expect(err).toContain(`Another Cairn is already using ${folder.path}.`);
  if (process.platform === "linux") expect(err).toContain(`It is process ${process.pid}`);
});

test("commands that run at the same time all get their turn", async () => {
  const ran = await Promise.all([1, 2, 3].map((n) => cairn(["add", `Service number ${n} listens on port 700${n}.`])));
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0]);
});
