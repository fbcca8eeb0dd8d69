import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { Cairn } from "../../clients/testing/cairn.mjs";
import { CairnError, startCairn } from "../../clients/testing/cairn.mjs";
import { isBinary, temporaryFolder } from "../support/app.ts";

/** Only against a hang: twenty processes start on however few cores. */
setDefaultTimeout(120_000);

const folder = temporaryFolder();
afterAll(folder.remove);

/** The executable, or the source as one file that can be run. */
function executable(): string {
  if (isBinary) return resolve("dist/cairn");
  const script = join(folder.path, "cairn");
  writeFileSync(script, `#!/bin/sh\nexec "${process.execPath}" "${resolve("src/main.ts")}" "$@"\n`);
  chmodSync(script, 0o755);
  return script;
}
const binary = executable();
const HASH = ["--embedder", "hash"];
const COUNT = "/api/v1/memories/count";
const ALL = "/api/v1/memories?include_deleted=true";

const write = ({ call }: Cairn, content: string) => call("POST", "/api/v1/memories", { tenant_id: "default", content });

/** Whether a process has ended, whoever is to take notice of that. */
const hasEnded = (pid: number): boolean => {
  const { stdout } = Bun.spawnSync(["ps", "-o", "stat=", "-p", String(pid)]);
  return /^(?:Z|$)/.test(stdout.toString().trim());
};
async function untilEnded(pid: number): Promise<void> {
  while (!hasEnded(pid)) await Bun.sleep(20);
}

const FIXTURES = "test/binary/fixtures/clients";
const python = Bun.which("python3");
const node = Bun.which("node");
const hasPytest =
  python !== null && Bun.spawnSync([python, "-m", "pytest", "--version"], { stderr: "ignore" }).exitCode === 0;

const environment = {
  ...process.env,
  CAIRN_BINARY: binary,
  PYTHONPATH: resolve("clients/testing"),
  PYTHONDONTWRITEBYTECODE: "1",
  NODE_TEST_CONTEXT: undefined,
};

async function run(command: readonly string[]) {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "pipe", env: environment });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out: out + err };
}

const Held = z.object({ pid: z.int(), url: z.string() });

/** Runs what starts an instance, kills it without a chance to clean up, and waits for the end of the instance. */
async function killHolder(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "inherit", env: environment });
  let line = "";
  for await (const chunk of child.stdout) {
    line += new TextDecoder().decode(chunk);
    if (line.includes("\n")) break;
  }
  const { pid, url } = Held.parse(JSON.parse(line));
  expect((await fetch(`${url}/api/v1/health`)).status).toBe(200);
  child.kill("SIGKILL");
  await child.exited;
  await untilEnded(pid);
}

describe("the helper for Bun and Node", () => {
  test("starts with the seed, puts it back, and tells what was logged since", async () => {
    const seed = ["The harbour office opens at nine.", { content: "Bruno repairs the cranes.", agent_id: "bruno" }];
    await using cairn = await startCairn({ binary, args: HASH, seed });
    const seeded = await cairn.call("GET", ALL);
    expect(await cairn.call("GET", COUNT)).toEqual({ count: 2 });
    await write(cairn, "Carla paints the cranes.");
    expect(cairn.logs()).toContain('"operation":"writeMemory"');
    await cairn.reset();
    expect(cairn.logs()).not.toContain('"operation":"writeMemory"');
    expect(await cairn.call("GET", ALL)).toEqual(seeded);
    await cairn.stop();
    expect(hasEnded(cairn.pid)).toBe(true);
  });

  test("seeds by a function, too", async () => {
    const seed = async (url: string) => {
      const data = { summary: "How to stop a crane" };
      const body = JSON.stringify({ tenant_id: "default", collection: "runbooks", doc_id: "crane", data });
      await fetch(`${url}/api/v1/documents`, { method: "POST", headers: { "content-type": "application/json" }, body });
    };
    await using cairn = await startCairn({ binary, args: HASH, seed });
    const document = "/api/v1/documents/crane?tenant_id=default&collection=runbooks";
    await cairn.call("DELETE", document);
    await expect(cairn.call("GET", document)).rejects.toBeInstanceOf(CairnError);
    await cairn.reset();
    expect(await cairn.call("GET", document)).toMatchObject({ doc_id: "crane" });
  });

  test("says why an instance did not start", async () => {
    await expect(startCairn({ binary, args: ["--bogus"] })).rejects.toThrow("Unknown flag '--bogus'");
    await expect(startCairn({ binary, args: HASH, seed: ["x"] })).rejects.toThrow('"x" is refused');
    await expect(startCairn({ binary: "/nonexistent/cairn" })).rejects.toThrow("CAIRN_BINARY");
  });

  test("twenty instances at once have nothing of each other, and all end", async () => {
    const instances = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        startCairn({
          binary,
          args: HASH,
          seed: Array.from({ length: i + 1 }, (_, j) => `Berth ${j} of harbour ${i}.`),
        }),
      ),
    );
    expect(new Set(instances.map(({ url }) => url)).size).toBe(20);
    await Promise.all(
      instances.map(async (cairn, i) => {
        for (let round = 0; round < 3; round++) {
          await write(cairn, `A ship lies in harbour ${i} in round ${round}.`);
          const found = await cairn.call("POST", "/api/v1/search", { query: "harbour", top_k: 20 });
          const texts = z.array(z.object({ content: z.string() })).parse(found.items);
          expect(texts.length).toBeGreaterThan(0);
          for (const { content } of texts) expect(content).toContain(`harbour ${i}`);
          await cairn.reset();
          expect(await cairn.call("GET", COUNT)).toEqual({ count: i + 1 });
        }
      }),
    );
    await Promise.all(instances.map(({ stop }) => stop()));
    expect(instances.filter(({ pid }) => !hasEnded(pid))).toEqual([]);
  });

  test("an instance ends with its process, although that was killed: Bun", () =>
    killHolder([process.execPath, `${FIXTURES}/hold.mjs`]));

  test.skipIf(node === null)("an instance ends with its process, although that was killed: Node", () =>
    killHolder([node ?? "", `${FIXTURES}/hold.mjs`]),
  );

  test.each([
    ["Bun", [process.execPath, "test", `./${FIXTURES}/failing.mjs`]],
    ...(node === null ? [] : [["Node", [node, "--test", `${FIXTURES}/failing.mjs`]] as const]),
  ] as const)("a test that fails shows what its instance wrote: %s", async (_, command) => {
    const { code, out } = await run(command);
    expect(code).toBe(1);
    expect(out).toMatch(/(?:# pass 1|1 pass)\b/);
    // The route that it asked for, and nothing of the test before.
    expect(out).toMatch(/--- cairn log ---[\s\S]*no_such_route[\s\S]*--- end of the cairn log ---/);
    expect(out).not.toContain("countMemories");
  });
});

describe.skipIf(python === null)("the helper for Python", () => {
  test("starts with the seed, puts it back, and says why it did not start", async () => {
    expect(await run([python ?? "", `${FIXTURES}/uses.py`])).toEqual({ code: 0, out: '"ok"\n' });
  });

  test("an instance ends with its process, although that was killed", () =>
    killHolder([python ?? "", `${FIXTURES}/hold.py`]));

  test.skipIf(!hasPytest)("pytest shows beside a test that fails what its instance wrote", async () => {
    const plugin = ["-p", "pytest_cairn", "-p", "no:cacheprovider"];
    const { code, out } = await run([python ?? "", "-m", "pytest", ...plugin, `${FIXTURES}/test_failing.py`]);
    expect(code).toBe(1);
    expect(out).toContain("1 failed, 3 passed");
    expect(out).toMatch(/-- cairn log --[\s\S]*no_such_route/);
    expect(out).not.toContain("countMemories");
  });
});
