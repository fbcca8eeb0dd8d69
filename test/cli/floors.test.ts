import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { aFolder, cleanUp, spawnServer } from "../fault/server.ts";
import { cairnIn } from "../support/command-line.ts";

// What hardly answers is no answer to somebody who reads it; a program is told all, and whoever asks for it.

setDefaultTimeout(60_000);
afterAll(cleanUp);

const NONSENSE = "quantum chromodynamics on a lattice";
let cairn: ReturnType<typeof cairnIn>;

beforeAll(async () => {
  const data = aFolder();
  await spawnServer({ folder: data, embedder: "onnx" });
  cairn = cairnIn(data, data, { CAIRN_EMBEDDER: "onnx" });
  for (const text of [
    "We deploy every Tuesday after the standup.",
    "The harbour light is painted white.",
    "Anna signs off design changes.",
  ])
    expect(await cairn(["add", text, "--wait"])).toMatchObject({ code: 0 });
});

test("a search for what nobody has said finds nothing, and says how many rows hardly answer", async () => {
  const { out, err } = await cairn(["search", NONSENSE]);
  expect(out).toBe("");
  expect(err).toMatch(/^Nothing known speaks of that\. \d that hardly answer left out: --all shows them\./);
  const recalled = await cairn(["recall", NONSENSE]);
  expect(recalled.out).not.toContain("Tuesday");
  expect(recalled.err).toContain("Nothing known speaks of that. --all shows what hardly answers.");
});

test("a question that is answered is not followed by what does not answer it", async () => {
  const { out, err } = await cairn(["search", "when do we release?"]);
  expect(out.split("\n")).toEqual([expect.stringContaining("Tuesday")]);
  expect(err).toContain("that hardly answer left out: --all shows them.");
});

test.each([[["--all"]], [["--explain"]], [["--min-score", "0"]]])("%j shows them all the same", async (flags) => {
  const { out, err } = await cairn(["search", NONSENSE, ...flags]);
  expect(out).toContain("Tuesday");
  expect(err).not.toContain("hardly answer");
});

test("so does a recall of all, and a reply for programs", async () => {
  expect((await cairn(["recall", NONSENSE, "--all"])).out).toContain("Tuesday");
  expect(JSON.parse((await cairn(["search", NONSENSE, "--json"])).out).items.length).toBeGreaterThan(0);
});
