import { describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sessionFile } from "../../../../src/cli/hook/session-file.ts";
import type { KeptTelling } from "../../../../src/cli/hook/told/kept.ts";
import { forgetTellings, openTellings } from "../../../../src/cli/hook/told/kept.ts";
import { takenUp } from "../../../../src/cli/hook/told/taken-up.ts";
import type { Said } from "../../../../src/cli/hook/told/transcript.ts";
import { hasherOf, tellingMarks } from "../../../../src/cli/hook/told/words.ts";
import { temporaryFolder } from "../../../support/app.ts";

const hashOf = hasherOf("a session");
const NOTE = "The Savitzky filter of the heron lighthouse importer reads src/tide/curves.ts.";
const aTelling = (id: string, note = NOTE, prompt = "") => ({
  id,
  at: 1_000,
  offset: 100,
  marks: new Set(tellingMarks(note, prompt).map(hashOf)),
});
const saying = (by: Said["by"], text: string, fields: Partial<Said> = {}): Said => ({
  ...{ by, offset: 200, at: 2_000, texts: [text] },
  ...fields,
});
const judged = (tellings: readonly KeptTelling[], said: readonly Said[], hasTime = () => true) =>
  takenUp(tellings, { said, hashOf, hasTime });
const used = (said: readonly Said[], telling = aTelling("one")) => judged([telling], said)?.used.length === 1;

describe("a note is taken up", () => {
  test.each([
    ["two words that are seldom", "The Savitzky filters import lighthouses now.", true],
    ["the name of a file", "Opening curves.ts", true],
    ["one seldom word", "A lighthouse it is.", false],
    ["common words alone", "The filter of the file is read.", false],
    ["nothing of it", "Done.", false],
  ])("by %s: %s", (_, text, expected) => expect(used([saying("agent", text)])).toBe(expected));

  test("over several entries, but not by what others wrote, nor by what the agent was given to read before it wrote it", () => {
    expect(used([saying("agent", "Savitzky"), saying("agent", "lighthouse")])).toBe(true);
    expect(used([saying("others", NOTE)])).toBe(false);
    expect(used([saying("others", NOTE), saying("agent", NOTE)])).toBe(false);
    expect(used([saying("agent", "cat src/tide/curves.ts"), saying("others", NOTE)])).toBe(true);
  });

  test("not by what the prompt held", () => {
    const asked = aTelling("one", NOTE, "What does src/tide/curves.ts have with a Savitzky filter?");
    expect(used([saying("agent", "The Savitzky filter of src/tide/curves.ts.")], asked)).toBe(false);
    expect(used([saying("agent", "The lighthouse of the heron.")], asked)).toBe(true);
  });

  test("since it was told: by the time of an entry, else by where it stands", () => {
    expect(used([saying("agent", NOTE, { at: 999, offset: 200 })])).toBe(false);
    expect(used([saying("agent", NOTE, { at: null, offset: 99 })])).toBe(false);
    expect(used([saying("agent", NOTE, { at: null, offset: 100 })])).toBe(true);
  });
});

test("a note is watched once the agent did anything since", () => {
  const watched = (...said: readonly Said[]) => judged([aTelling("one")], said)?.watched;
  expect(watched(saying("others", "Go on."))).toEqual([]);
  expect(watched(saying("agent", "Done.", { at: 999 }))).toEqual([]);
  expect(watched(saying("agent", "Done."))).toEqual(["one"]);
  expect(judged([aTelling("one")], [saying("agent", NOTE)], () => false)).toBeNull();
});

describe("the tellings of a session", () => {
  const [one, two] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
  const opened = (folder: string, teller = "1") => openTellings(folder, "a session", teller);

  test("are kept for its owner alone, without a word of them, until they were used", () => {
    const home = temporaryFolder();
    const folder = join(home.path, "hooks");
    const kept = opened(folder);
    expect(kept.open()).toEqual([]);
    kept.add([aTelling(one), aTelling(two)]);
    expect(kept.open()).toEqual([aTelling(one), aTelling(two)]);
    const { path } = sessionFile(folder, "a session", "told");
    expect([statSync(folder).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readFileSync(path, "utf8")).not.toMatch(/savitzki|lighthouse|curves|session/i);
    expect(kept.claim("watched", [one, two])).toEqual([one, two]);
    expect(kept.claim("used", [one])).toEqual([one]);
    expect(kept.open()).toEqual([aTelling(two)]);
    expect(kept.claim("used", [one, "unknown"])).toEqual([]);
    kept.add([aTelling(one)]);
    expect(kept.claim("used", [one])).toEqual([one]);
    forgetTellings(folder, "a session", { now: Date.now(), unless_within_ms: 60_000 });
    expect(kept.open()).toHaveLength(1);
    forgetTellings(folder, "a session");
    expect(kept.open()).toEqual([]);
    home.remove();
  });

  test("are told to be used by one of two hooks at once", () => {
    const home = temporaryFolder();
    opened(home.path).add([aTelling(one)]);
    const claimed = ["a", "b"].flatMap((teller) => opened(home.path, teller).claim("used", [one]));
    expect(claimed).toEqual([one]);
    home.remove();
  });

  test("are bounded, and lines that nobody wrote so are passed over", () => {
    const home = temporaryFolder();
    const kept = opened(home.path);
    const { path } = sessionFile(home.path, "a session", "told");
    writeFileSync(path, "told\ntold x 1 2 3\nused\n\0\n");
    for (let i = 0; i < 400; i++) kept.add([aTelling(`00000000-0000-4000-8000-${String(i).padStart(12, "0")}`)]);
    expect(statSync(path).size).toBeLessThan(70 * 1024);
    expect(kept.open().at(-1)?.id).toEndWith("399");
    home.remove();
  });
});
