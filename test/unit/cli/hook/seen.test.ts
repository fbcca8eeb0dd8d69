import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { forgetSeen, openSeen, pruneSeen } from "../../../../src/cli/hook/seen.ts";
import { openTellings } from "../../../../src/cli/hook/told/kept.ts";
import { DAY_MS } from "../../../../src/core/kernel/clock.ts";
import { temporaryFolder } from "../../../support/app.ts";

const home = temporaryFolder();
afterAll(() => home.remove());
let folders = 0;
const aFolder = () => join(home.path, String(folders++), "hooks");
const TOLD = "00000000-0000-4000-8000-000000000001";
const NOW = Date.parse("2026-11-20T12:00:00Z");

test("a text is told once a session, whoever tells it", () => {
  const folder = aFolder();
  expect(openSeen(folder, "s", "1").claim(["a", "b"])).toEqual(new Set(["a", "b"]));
  const later = openSeen(folder, "s", "2");
  expect([later.has("a"), later.has("c")]).toEqual([true, false]);
  expect(later.claim(["b", "c"])).toEqual(new Set(["c"]));
  expect(openSeen(folder, "other", "3").claim(["a"])).toEqual(new Set(["a"]));
});

test("of two that found a text new at the same time, one tells it", () => {
  const folder = aFolder();
  const [one, two] = [openSeen(folder, "s", "1"), openSeen(folder, "s", "2")];
  expect([one.has("a"), two.has("a")]).toEqual([false, false]);
  expect([one.claim(["a"]), two.claim(["a"])]).toEqual([new Set(["a"]), new Set()]);
});

test("the file is its owner's, and holds neither a text nor the name of the session", () => {
  const folder = aFolder();
  openSeen(folder, "session-name", "1").claim(["a secret text"]);
  const [name = ""] = readdirSync(folder);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, name)).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(name + readFileSync(join(folder, name), "utf8")).not.toMatch(/secret|session-name/);
});

test("a session that ended or was summed up starts anew, unless another hook told it something just now", () => {
  const folder = aFolder();
  openSeen(folder, "s", "1").claim(["a"]);
  const [name = ""] = readdirSync(folder);
  utimesSync(join(folder, name), NOW / 1_000, NOW / 1_000);
  forgetSeen(folder, "s", { now: NOW + 1_000, unless_within_ms: 2_000 });
  expect(openSeen(folder, "s", "2").has("a")).toBe(true);
  forgetSeen(folder, "s", { now: NOW + 3_000, unless_within_ms: 2_000 });
  expect(openSeen(folder, "s", "2").has("a")).toBe(false);
  expect(() => forgetSeen(folder, "never seen")).not.toThrow();
});

test("old files go, and the oldest of too many; files of others stay", () => {
  const folder = aFolder();
  for (let i = 0; i < 203; i++) {
    openSeen(folder, `s${i}`, "1").claim(["a"]);
    openTellings(folder, `s${i}`, "1").add([{ id: TOLD, at: 0, offset: 0, marks: new Set(["a"]) }]);
  }
  const names = readdirSync(folder);
  for (const [i, name] of names.entries()) utimesSync(join(folder, name), NOW / 1_000 - i, NOW / 1_000 - i);
  writeFileSync(join(folder, "notes.txt"), "mine");
  pruneSeen(folder, NOW);
  expect(readdirSync(folder).toSorted()).toEqual([...names.slice(0, 400), "notes.txt"].toSorted());
  pruneSeen(folder, NOW + 8 * DAY_MS);
  expect(readdirSync(folder)).toEqual(["notes.txt"]);
});

test("a file stays small however much a session is told", () => {
  const folder = aFolder();
  for (let i = 0; i < 40; i++) openSeen(folder, "s", "1").claim(Array.from({ length: 200 }, (_, n) => `${i}/${n}`));
  const [name = ""] = readdirSync(folder);
  expect(statSync(join(folder, name)).size).toBeLessThan(256 * 1024);
  expect(openSeen(folder, "s", "1").has("39/199")).toBe(true);
});

test("a folder that cannot be written is said, not thrown", () => {
  const folder = aFolder();
  writeFileSync(join(home.path, "file"), "");
  expect(openSeen(join(home.path, "file", "hooks"), "s", "1").claim(["a"])).toBeNull();
  expect(() => pruneSeen(folder, NOW)).not.toThrow();
});
