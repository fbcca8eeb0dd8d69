import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { temporaryFolder } from "../support/app.ts";
import { cairnIn } from "../support/command-line.ts";
import { CAIRN, cleanUp, spawnServer } from "./server.ts";

setDefaultTimeout(900_000);
const root = temporaryFolder();
afterAll(async () => {
  await cleanUp();
  root.remove();
});

/** Moments at which something is killed; more of them by hand: CAIRN_TEST_MOMENTS=50. */
const MOMENTS = Number(process.env.CAIRN_TEST_MOMENTS ?? 3);
const ROWS = 1_200;

const Export = z.array(z.looseObject({ record: z.string() }));
const Counted = z.object({ counts: z.record(z.string(), z.int()), resumed_from: z.int() });

test("killed at any moment, an import goes on where it was, and stores nothing twice", async () => {
  const file = join(root.path, "ledger.jsonl");
  const lines = Array.from({ length: ROWS }, (_, i) =>
    JSON.stringify({
      record: "memory",
      content: `Ledger row ${i}: crate ${i * 7} went to pier ${i % 9}.`,
      created_at: new Date(1_700_000_000_000 + i * 1_000).toISOString(),
    }),
  );
  const header = {
    record: "export",
    format: 1,
    release: "0.1.0",
    exported_at: "2026-01-01",
    tenant_id: "default",
    filter: {},
  };
  const end = { record: "end", counts: { memory: ROWS } };
  writeFileSync(file, [JSON.stringify(header), ...lines, JSON.stringify(end), ""].join("\n"));
  const env = { PATH: process.env.PATH ?? "", HOME: root.path, CAIRN_EMBEDDER: "hash" };
  const begin = (folder: string) =>
    Bun.spawn([...CAIRN, "import", file, "--data", folder], {
      cwd: root.path,
      env,
      stdout: "ignore",
      stderr: "ignore",
    });

  const whole = join(root.path, "whole");
  const startedAt = performance.now();
  expect(await begin(whole).exited).toBe(0);
  const takes = performance.now() - startedAt;

  let resumed = 0;
  for (let i = 1; i <= MOMENTS; i++) {
    const folder = join(root.path, `killed-${i}`);
    const server = await spawnServer({ folder });
    const client = begin(folder);
    await Bun.sleep(takes * (0.2 + (0.7 * i) / MOMENTS));
    // Whoever sends dies, or whoever stores.
    if (i % 2 === 0) {
      client.kill("SIGKILL");
      await client.exited;
      await server.terminate();
    } else {
      await server.kill();
      await client.exited;
    }
    const cairn = cairnIn(folder, root.path);
    const { out, code } = await cairn(["import", file, "--json"]);
    expect(code).toBe(0);
    const { counts, resumed_from } = Counted.parse(JSON.parse(out));
    if (resumed_from > 0 && resumed_from < ROWS) {
      resumed += 1;
      // At most the last batch is sent again.
      expect(counts.created).toBe(ROWS - resumed_from - (counts.exists ?? 0));
      expect(counts.exists).toBeLessThanOrEqual(200);
    }
    const exported = await cairn(["export", "-"]);
    const records = Export.parse(exported.out.split("\n").map((line) => JSON.parse(line)));
    expect(records.at(-1)).toMatchObject({ counts: { memory: ROWS } });
    expect(new Set(records.map(({ content }) => content)).size).toBe(ROWS + 1);
    expect(await cairn(["check"])).toMatchObject({ code: 0 });
  }
  // Else nothing was tested.
  expect(resumed).toBeGreaterThan(0);
});
