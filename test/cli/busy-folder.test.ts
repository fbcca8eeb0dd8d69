import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { lockFolder } from "../../src/storage/sqlite/engine/folder-lock.ts";
import { temporaryFolder } from "../support/app.ts";
import { cairnIn } from "../support/command-line.ts";

/** Only against a hang. */
setDefaultTimeout(60_000);

const folder = temporaryFolder();
afterAll(() => folder.remove());
const cairn = cairnIn(folder.path, folder.path);

// That it is tried again, how often, and when not, is held without a clock in test/unit/cli/folder-holder.test.ts.
test.each([[["add", "We deploy on Tuesdays."]], [["rebuild"]]])(
  "a folder that another process has for a moment is waited for by %j",
  async (words) => {
    const lock = lockFolder(folder.path);
    const ran = cairn(words);
    const early = await Promise.race([ran, Bun.sleep(1_000).then(() => "waits")]);
    lock.release();
    expect(early).toBe("waits");
    expect(await ran).toMatchObject({ code: 0 });
  },
);

test("one that stays taken is refused with the process that has it", async () => {
  const lock = lockFolder(folder.path);
  const { code, err } = await cairn(["list"]);
  lock.release();
  expect(code).toBe(1);
  expect(err).toContain(`Another Cairn is already using ${folder.path}.`);
  if (process.platform === "linux") expect(err).toContain(`It is process ${process.pid}`);
});

test("commands that run at the same time all get their turn", async () => {
  const statements = [1, 2, 3].map((n) => `Service number ${n} listens on port 700${n}.`);
  const ran = await Promise.all(statements.map((statement) => cairn(["add", statement])));
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0]);
  const { out } = await cairn(["list"]);
  for (const statement of statements) expect(out).toContain(statement);
});
