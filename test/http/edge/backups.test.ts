import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ErrorCode } from "../../../src/core/kernel/errors.ts";
import { BackupState } from "../../../src/core/schema/keeping/backup.ts";
import { Forgotten } from "../../../src/core/schema/keeping/forget.ts";
import { asReadingFault } from "../../../src/storage/sqlite/backup/place.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { temporaryFolder } from "../../support/app.ts";
import { openApp } from "../../support/in-process.ts";

const PATH = "/api/v1/admin/backups";
const folder = temporaryFolder();
const { app, client } = await openApp({ folder: folder.path });
afterAll(async () => {
  await app.stop();
  folder.remove();
});
const api = memoriesApi(client);

/** Begins a backup and waits for its end. */
async function backUp(body?: object) {
  let { run } = await client.ok(BackupState, "POST", PATH, { body });
  while (run?.state === "running") {
    await Bun.sleep(5);
    ({ run } = await client.ok(BackupState, "GET", PATH));
  }
  return run ?? expect.unreachable();
}

describe("a backup", () => {
  test("holds what was acknowledged before it, and says what it holds", async () => {
    for (let i = 0; i < 3; i++) await api.write({ content: `Backup row ${i} of the harbour office.` });
    const { state, backup, error } = await backUp();
    expect([state, error]).toEqual(["finished", null]);
    const { file = "", bytes, manifest } = backup ?? {};
    expect(bytes).toBe(statSync(file).size);
    expect(manifest).toMatchObject({ format: 1, release: "0.1.0", models: ["hash-v1"], counts: { memories: 3 } });
    // For its owner alone, and nothing of the work is left.
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(readdirSync(join(folder.path, "backups")).filter((name) => name.startsWith("."))).toEqual([]);
    const { backups } = await client.ok(BackupState, "GET", PATH);
    expect(backups.map((one) => one.file)).toEqual([file]);
  });

  test("goes where it is told to, and only so many are kept there", async () => {
    const place = join(folder.path, "elsewhere");
    mkdirSync(place);
    writeFileSync(join(place, "notes.db.zst"), "no backup");
    const made: string[] = [];
    for (let i = 0; i < 3; i++) made.push((await backUp({ destination: place, keep: 2 })).backup?.file ?? "");
    expect(made.map((file) => existsSync(file))).toEqual([false, true, true]);
    expect(existsSync(join(place, "notes.db.zst"))).toBe(true);
  });

  test("into a folder that is not there makes it, where its end or `keep` says that it is one", async () => {
    const ended = join(folder.path, "ended");
    const kept = join(folder.path, "kept");
    const first = await backUp({ destination: `${ended}/` });
    expect([dirname(first.backup?.file ?? ""), first.made]).toEqual([ended, "folder"]);
    const made = [];
    for (let i = 0; i < 3; i++) made.push(await backUp({ destination: kept, keep: 2 }));
    expect(made.map((run) => [run.state, run.made])).toEqual([
      ["finished", "folder"],
      ["finished", null],
      ["finished", null],
    ]);
    expect(readdirSync(kept)).toHaveLength(2);
    expect(readdirSync(ended)).toHaveLength(1);
  });

  test("into a path that is not there makes a file, and says so", async () => {
    const destination = join(folder.path, "single");
    const { made, backup } = await backUp({ destination });
    expect([made, backup?.file, statSync(destination).isFile()]).toEqual(["file", destination, true]);
  });

  test.each<[string, () => object, number, ErrorCode]>([
    ["to keep so many", () => ({ destination: join(folder.path, "cairn.db"), keep: 2 }), 409, "CONFLICT"],
    ["with a folder's end", () => ({ destination: `${join(folder.path, "cairn.db")}/` }), 409, "CONFLICT"],
  ])("into a file %s is refused, and the file named", async (_, body, status, code) => {
    const reply = await client.refused("POST", PATH, { body: body() });
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
    expect(reply.body.error.message).toContain(`${join(folder.path, "cairn.db")} is a file`);
  });

  test.each<[string, () => string, number, ErrorCode]>([
    ["a relative path", () => "backups/one.db.zst", 400, "BAD_REQUEST"],
    ["a file that exists", () => join(folder.path, "cairn.db"), 409, "CONFLICT"],
    ["a path through a file", () => join(folder.path, "cairn.db", "one.db.zst"), 503, "UNAVAILABLE"],
  ])("into %s is refused", async (_, destination, status, code) => {
    const reply = await client.refused("POST", PATH, { body: { destination: destination() } });
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
  });

  test("that a process left half done is cleared away by the next", async () => {
    const left = join(folder.path, "backups", ".cairn-2026.db.zst-999999999-abcdef");
    mkdirSync(left, { recursive: true });
    expect((await backUp()).state).toBe("finished");
    expect(existsSync(left)).toBe(false);
  });

  test("finds a file where its folder would be: a refusal, a list and an erasure that name it, and other places", async () => {
    const own = temporaryFolder();
    const place = join(own.path, "backups");
    writeFileSync(place, "what an earlier backup wrote");
    const { app: other, client: there } = await openApp({ folder: own.path });
    try {
      const refused = await there.refused("POST", PATH, { body: {} });
      expect([refused.status, refused.body.error.code]).toEqual([409, "CONFLICT"]);
      expect(refused.body.error.message).toContain(`${place} is a file`);
      const { backups, fault } = await there.ok(BackupState, "GET", PATH);
      expect([backups, fault]).toEqual([[], expect.stringContaining(`${place} is a file`)]);
      const body = { match: "harbour", dry_run: true };
      const { copies } = await there.ok(Forgotten, "POST", "/api/v1/admin/forget", { body });
      expect(copies).toEqual([place]);
      const state = await there.ok(BackupState, "POST", PATH, { body: { destination: join(own.path, "b2/") } });
      expect(state.run?.error ?? null).toBeNull();
    } finally {
      await other.stop();
      own.remove();
    }
  });

  test("is for the owner of the machine alone, and for what lies on a disk", async () => {
    const memory = await openApp();
    const reply = await memory.client.refused("POST", PATH, { body: {} });
    expect([reply.status, reply.body.error.code]).toEqual([409, "CONFLICT"]);
    await memory.app.stop();
    const others = await openApp({ flags: ["--no-standalone"] });
    for (const method of ["GET", "POST"] as const)
      expect((await others.client.refused(method, PATH, method === "POST" ? { body: {} } : {})).status).toBe(401);
    await others.app.stop();
  });
});

describe("a folder of backups that cannot be read", () => {
  test("is told as that by the list and by what erases, and never as a backup that was not written", async () => {
    const own = temporaryFolder();
    const opened = await openApp({ folder: own.path });
    symlinkSync("backups", join(own.path, "backups"));
    const read = expect.stringMatching(/backups cannot be read: it is a link .* ask again\.$/);
    const { fault } = await opened.client.ok(BackupState, "GET", PATH);
    expect(fault).toEqual(read);
    const body = { match: "night ferry" };
    const forgotten = await opened.client.refused("POST", "/api/v1/admin/forget", { body });
    expect([forgotten.status, forgotten.body.error.message]).toEqual([503, read]);
    await opened.app.stop();
    own.remove();
  });

  test.each(["EACCES", "EPERM", "ENOTDIR"])("has words of its own for %s", (code) => {
    const error = asReadingFault("/srv/backups", Object.assign(new Error(code), { code }));
    expect(String(error)).toContain("/srv/backups cannot be read: ");
    expect(String(error)).not.toMatch(/writ|another place/);
  });
});
