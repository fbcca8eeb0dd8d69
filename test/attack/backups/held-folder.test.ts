import { afterAll, describe, expect, test } from "bun:test";
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { writeFiles, writeLines } from "../../../src/cli/transfer/export-file.ts";
import { holdFolder, holdOwn, makeIn, nameIn } from "../../../src/core/kernel/files/held-folder.ts";
import { aFolder, cleanUp } from "../../fault/server.ts";

// Whoever may write into a folder can put another in its place, or a link, between any two steps of who writes there, too.

afterAll(cleanUp);

/** A folder, its place, and what its owner puts there instead. */
function aPlace() {
  const root = aFolder();
  const [place, moved, instead] = ["place", "moved", "instead"].map((name) => join(root, name));
  if (!place || !moved || !instead) return expect.unreachable();
  for (const folder of [place, instead]) mkdirSync(folder);
  const swap = () => {
    renameSync(place, moved);
    symlinkSync(instead, place);
  };
  return { place, moved, instead, swap };
}

// What holds a folder open whatever has its path, other systems do not have.
describe.skipIf(process.platform !== "linux")(
  "a folder that another takes the place of while it is written into",
  () => {
    test("has all that was meant for it", () => {
      const { place, moved, instead, swap } = aPlace();
      const folder = holdFolder(place, { follows: true });
      const file = makeIn(folder, "part");
      swap();
      writeSync(file, "all of it");
      nameIn(folder, "part", "whole", fstatSync(file));
      closeSync(file);
      expect(folder.names()).toEqual(["whole"]);
      folder.close();
      expect([readdirSync(instead), readFileSync(join(moved, "whole"), "utf8")]).toEqual([[], "all of it"]);
    });

    test("keeps an export, of lines or of notes", async () => {
      const lines = aPlace();
      async function* two() {
        yield "one";
        lines.swap();
        yield "two";
      }
      await writeLines(join(lines.place, "all.jsonl"), two());
      expect([readdirSync(lines.instead), readFileSync(join(lines.moved, "all.jsonl"), "utf8")]).toEqual([
        [],
        "one\ntwo\n",
      ]);

      const notes = aPlace();
      async function* files() {
        yield { path: "a/one.md", text: "one" };
        notes.swap();
        yield { path: "a/two.md", text: "two" };
      }
      expect(await writeFiles(join(notes.place, "notes"), files())).toBe(2);
      expect(readdirSync(notes.instead)).toEqual([]);
      expect(readdirSync(join(notes.moved, "notes/a")).sort()).toEqual(["one.md", "two.md"]);
      expect(statSync(join(notes.moved, "notes")).mode & 0o777).toBe(0o700);
    });

    test("gets no notes into a folder that takes the place of theirs, and loses nothing else", async () => {
      const { place, instead } = aPlace();
      writeFileSync(join(instead, "precious"), "");
      async function* files() {
        yield { path: "one.md", text: "one" };
        const [part = ""] = readdirSync(place);
        renameSync(join(place, part), join(place, "taken"));
        symlinkSync(instead, join(place, part));
        yield { path: "two.md", text: "two" };
      }
      const written = writeFiles(join(place, "notes"), files());
      expect(written).rejects.toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("somebody else") });
      await written.catch(() => undefined);
      expect(readdirSync(instead)).toEqual(["precious"]);
      expect(readdirSync(join(place, "taken"))).toEqual([]);
    });
  },
);

test("a file that took the place of the one written is not told as it", () => {
  const { place } = aPlace();
  const folder = holdFolder(place, { follows: true });
  const file = makeIn(folder, "part");
  rmSync(join(place, "part"));
  writeFileSync(join(place, "part"), "another's");
  expect(() => nameIn(folder, "part", "whole", fstatSync(file))).toThrow("somebody else");
  expect(folder.names()).toEqual(["part"]);
  closeSync(file);
  folder.close();
});

test("a link is neither made a file through, nor taken for a folder of one's own", () => {
  const { place, instead } = aPlace();
  const folder = holdFolder(place, { follows: true });
  symlinkSync(join(instead, "new"), join(place, "part"));
  symlinkSync(instead, join(place, "notes"));
  expect(() => makeIn(folder, "part")).toThrow("EEXIST");
  expect(() => holdOwn(folder, "notes")).toThrow();
  expect(existsSync(join(instead, "new"))).toBe(false);
  folder.close();
});
