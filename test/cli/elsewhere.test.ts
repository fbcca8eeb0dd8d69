import { afterAll, expect, test } from "bun:test";
import { aFolder, cleanUp, spawnServer } from "../fault/server.ts";
import { temporaryFolder } from "../support/app.ts";
import { cairnIn } from "../support/command-line.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
afterAll(cleanUp);
const withUrl = (CAIRN_URL: string) => cairnIn(folder.path, folder.path, { CAIRN_URL });

test.each([
  ["http://somebody:sekret@127.0.0.1:9", 3, "No Cairn answers at http://127.0.0.1:9."],
  ["http:somebody:sekret@127.0.0.1:9", 1, "CAIRN_URL is no address."],
  ["ftp://somebody:sekret@127.0.0.1:9", 1, "CAIRN_URL is no address."],
])("a password in CAIRN_URL is not repeated: %s", async (url, code, told) => {
  for (const words of [["list"], ["hook", "user-prompt", "--debug"], ["setup", "claude", "--http", "--dry-run"]]) {
    const ran = await withUrl(url)(words, '{"prompt": "when do we release", "session_id": "s"}');
    expect(ran.out + ran.err).not.toMatch(/somebody|sekret/);
    if (words[0] === "list") expect(ran).toMatchObject({ code, err: expect.stringContaining(told) });
  }
});

test("what answers and is no Cairn is called so", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json({ hello: "world" }) });
  const url = `http://127.0.0.1:${other.port}`;
  const { code, err } = await withUrl(url)(["list"]);
  await other.stop(true);
  expect([code, err]).toEqual([3, expect.stringContaining(`${url} is no Cairn. Correct CAIRN_URL.`)]);
});

test("CAIRN_URL may be the address of the API, with or without a slash at its end", async () => {
  const server = await spawnServer({ folder: aFolder() });
  for (const end of ["", "/", "/api/v1", "/api/v1/", "/API/v1//"]) {
    const run = withUrl(`http://127.0.0.1:${server.port}${end}`);
    expect(await run(["list", "--json"])).toMatchObject({ code: 0, out: expect.stringContaining('"items":[]') });
    const wired = await run(["setup", "claude", "--http", "--dry-run"]);
    expect(wired.out).not.toMatch(/\/api\/v1/i);
  }
});
