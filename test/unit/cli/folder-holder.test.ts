import { afterAll, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onceFree } from "../../../src/cli/server/folder-holder.ts";
import { lockFolder } from "../../../src/storage/sqlite/engine/folder-lock.ts";
import { temporaryFolder } from "../../support/app.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Takes the folder, and counts the tries; `between` is run after each that failed. */
function taking(between: (tries: number) => void) {
  let tries = 0;
  return {
    count: () => tries,
    open: () => {
      tries++;
      try {
        return lockFolder(folder.path);
      } catch (error) {
        between(tries);
        throw error;
      }
    },
  };
}

test("a folder that another has is tried again until it is free", async () => {
  const other = lockFolder(folder.path);
  const { open, count } = taking((tries) => tries === 3 && other.release());
  const lock = await onceFree(folder.path, open);
  lock.release();
  expect(count()).toBe(4);
});

test("one that stays taken is refused after some tries", async () => {
  const other = lockFolder(folder.path);
  const { open, count } = taking(() => {});
  await expect(onceFree(folder.path, open)).rejects.toThrow("Another Cairn is already using");
  other.release();
  expect(count()).toBeGreaterThan(5);
});

test("one that a server has is refused at once, and another fault is no reason to wait", async () => {
  const announced = join(folder.path, "server.json");
  writeFileSync(announced, JSON.stringify({ url: "http://127.0.0.1:9", pid: process.pid, token: "t" }), {
    mode: 0o600,
  });
  const other = lockFolder(folder.path);
  const { open, count } = taking(() => {});
  await expect(onceFree(folder.path, open)).rejects.toThrow("Another Cairn is already using");
  other.release();
  rmSync(announced);
  let broken = 0;
  const failing = () => {
    broken++;
    throw new Error("The disk is gone.");
  };
  await expect(onceFree(folder.path, failing)).rejects.toThrow("The disk is gone.");
  expect([count(), broken]).toEqual([1, 1]);
});
