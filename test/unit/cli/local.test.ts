import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { announceServer, answeringServer, runningServer } from "../../../src/cli/server/local.ts";
import { temporaryFolder } from "../../support/app.ts";

let folder: ReturnType<typeof temporaryFolder>;
let data: string;
beforeEach(() => {
  folder = temporaryFolder();
  data = join(folder.path, "data");
});
afterEach(() => folder.remove());

const DATABASE = "postgres://anna@db.internal/memory";
const server = (token: string) => ({ url: "http://127.0.0.1:1", pid: process.pid, token });
const ofFolder = () => ({ data, database: null });
const ofDatabase = (database = DATABASE) => ({ data, database });

test("a server of a database is found by its name and by whoever names none, for its owner alone", () => {
  announceServer(ofDatabase(), server("a"));
  expect(runningServer(ofDatabase())?.token).toBe("a");
  expect(runningServer(ofFolder())?.token).toBe("a");
  expect(runningServer(ofDatabase("postgres://anna@db.internal/other"))).toBeNull();
  expect(statSync(join(data, "server.json")).mode & 0o777).toBe(0o600);
  expect(statSync(data).mode & 0o777).toBe(0o700);
});

test("the last of several on one database is found, and takes away only what it left itself", () => {
  const withdrawFirst = announceServer(ofDatabase(), server("first"));
  const withdrawSecond = announceServer(ofDatabase(), server("second"));
  withdrawFirst();
  expect(runningServer(ofDatabase())?.token).toBe("second");
  withdrawSecond();
  expect(existsSync(join(data, "server.json"))).toBe(false);
});

test("a live server of the folder stays the one that is found there", () => {
  announceServer(ofFolder(), server("folder"));
  announceServer(ofDatabase(), server("database"))();
  expect(runningServer(ofFolder())?.token).toBe("folder");
  expect(runningServer(ofDatabase())).toBeNull();
});

test("one that does not answer is none, although its process lives", async () => {
  announceServer(ofDatabase(), server("a"));
  expect(await answeringServer(ofDatabase())).toBeNull();
});
