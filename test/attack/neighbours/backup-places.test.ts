import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { BackupState } from "../../../src/core/schema/keeping/backup.ts";
import { temporaryFolder } from "../../support/app.ts";
import { refusalOf } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

// A backup is a new file at a place that a request names, written by the account of the server.

const PATH = "/api/v1/admin/backups";
const KEY = "one key that all agents have";
const root = temporaryFolder();
const data = join(root.path, "data");
mkdirSync(data, { mode: 0o700 });
const { app, client } = await openApp({ folder: data, flags: [`--api-key=${KEY}`] });
const shared = client.as({ "X-API-Key": KEY });
afterAll(async () => {
  await app.stop();
  root.remove();
});

async function finished() {
  let { run } = await shared.ok(BackupState, "GET", PATH);
  for (; run?.state === "running"; { run } = await shared.ok(BackupState, "GET", PATH)) await Bun.sleep(5);
  return run;
}

test("who has the shared key writes no file outside the folder of backups, and learns of none", async () => {
  const folder = join(data, "backups");
  const places = [
    join(root.path, "authorized_keys"),
    `${join(root.path, "new")}/`,
    join(folder, "../../beside.db.zst"),
    `${folder}-beside/one`,
    data,
    "/etc/passwd",
    "backups/one",
  ];
  for (const destination of places) {
    const refused = await shared.refused("POST", PATH, { body: { destination, keep: 1 } });
    expect([destination, ...refusalOf(refused)]).toEqual([destination, 403, "FORBIDDEN"]);
  }
  expect(places.slice(0, 3).map((place) => existsSync(place))).toEqual([false, false, false]);
});

test("that folder is theirs, and a name in it", async () => {
  await shared.ok(BackupState, "POST", PATH, { body: {} });
  expect(await finished()).toMatchObject({ state: "finished" });
  await shared.ok(BackupState, "POST", PATH, { body: { destination: join(data, "backups/nightly.db.zst") } });
  expect(await finished()).toMatchObject({ state: "finished", backup: { file: join(data, "backups/nightly.db.zst") } });
});

test("the account itself names any place, with the token of its server", async () => {
  const destination = join(root.path, "named.db.zst");
  await app.call("POST", PATH, { destination });
  await finished();
  expect(existsSync(destination)).toBe(true);
});
