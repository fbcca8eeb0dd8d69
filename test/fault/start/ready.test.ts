import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Status } from "../../../src/core/schema/system.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { aFolder, cleanUp, runToEnd, spawnServer } from "../server.ts";

afterAll(cleanUp);

const folder = aFolder();
const ROWS = 600;
const contents = Array.from({ length: ROWS }, (_, i) => `Crate ${i} holds ${["maps", "lamps", "ropes"][i % 3]}.`);
const seed = join(folder, "seed.jsonl");
await Bun.write(seed, contents.map((content) => JSON.stringify({ content })).join("\n"));
const inMemory = ["--ephemeral", "--seed", seed];

describe("a server with a seed", () => {
  test("in memory is ready once every row of it is found by meaning", async () => {
    const server = await spawnServer({ folder, flags: inMemory });
    const { jobs } = await server.client.ok(Status, "GET", "/api/v1/status");
    expect(jobs?.embedding_pending).toBe(0);
    expect((await memoriesApi(server.client).search("something for the mast")).warnings).toBeNull();
    await server.terminate();
  });

  test("is ready by keyword when that is asked for, every row stored by then", async () => {
    const server = await spawnServer({ folder, flags: [...inMemory, "--ready-when", "keyword"] });
    const api = memoriesApi(server.client);
    expect(await api.count()).toBe(ROWS);
    expect((await api.search("599")).items[0]?.content).toBe(contents[599] ?? "");
    await server.terminate();
  });

  test("says that it is ready before it is loaded when nothing is asked for but that it listens", async () => {
    const path = join(aFolder(), "broken.jsonl");
    await Bun.write(path, "no JSON");
    const flags = ["--ephemeral", "--port=0", "--embedder=hash", "--ready-json", `--seed=${path}`];
    expect((await runToEnd(["serve", ...flags, "--ready-when=listening"])).stdout).toContain('"ready"');
    expect((await runToEnd(["serve", ...flags, "--ready-when=keyword"])).stdout).not.toContain('"ready"');
  });

  test.each([
    ['{"content": "Sound enough."}\n\n{content: 1}', /Line 3 of the seed file.*no JSON.*(?:Expected|expected)/],
    ['{"content": "Sound enough."}\n{"text": "x"}', /Line 2 of the seed file.*content: .*string/],
    ['{"content": "Sound enough."}\n{"content": "Sound as well.", "weight": 7}', /Line 2 of the seed file.*weight/],
    [
      '{"content": "Sound enough."}\n{"content": "As well.", "visibility": "all"}',
      /Line 2 of the seed file.*visibility/,
    ],
  ])("that is broken names the line and the cause: %j", async (text, message) => {
    const path = join(aFolder(), "broken.jsonl");
    await Bun.write(path, text);
    const { stderr, code } = await runToEnd(["serve", "--ephemeral", "--port=0", "--embedder=hash", `--seed=${path}`]);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });

  test("that does not exist is named", async () => {
    const { stderr, code } = await runToEnd([
      "serve",
      "--ephemeral",
      "--port=0",
      "--embedder=hash",
      "--seed=/nowhere.jsonl",
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/seed file \/nowhere\.jsonl/);
  });
});
