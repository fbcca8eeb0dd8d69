import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { isBinary, temporaryFolder } from "../support/app.ts";
import { HERMETIC } from "../support/in-process.ts";

const folder = temporaryFolder();
const ROOT = resolve(import.meta.dir, "../..");
const CAIRN = isBinary ? [join(ROOT, "dist/cairn")] : [process.execPath, join(ROOT, "src/main.ts")];
const ENV = {
  ...HERMETIC,
  PATH: process.env.PATH ?? "",
  HOME: folder.path,
  XDG_CACHE_HOME: join(folder.path, "cache"),
};
/** How often a hook may be late on a busy machine, which is silent by intent. */
const LATE_MAX = 20;

const data = join(folder.path, "served");
const project = join(folder.path, "orchard");
const Counts = z.object({ told: z.int(), watched: z.int(), used: z.int() });
let server: Bun.Subprocess<"ignore", "pipe", "ignore">;
let url = "";

beforeAll(async () => {
  mkdirSync(project);
  writeFileSync(join(project, ".cairn.json"), '{"project": "orchard"}');
  const flags = ["--port=0", "--ready-json", "--embedder=hash", `--data=${data}`];
  server = Bun.spawn([...CAIRN, "serve", ...flags], { stdin: "ignore", stdout: "pipe", stderr: "ignore", env: ENV });
  const { value } = await server.stdout.getReader().read();
  ({ url } = z.object({ url: z.string() }).parse(JSON.parse(new TextDecoder().decode(value))));
});
afterAll(async () => {
  server.kill("SIGTERM");
  await server.exited;
  folder.remove();
});

/** A note that the prompt of these tests finds. */
async function aNote(author: string): Promise<string> {
  const body = JSON.stringify({
    content: `Deploys go out every Tuesday by quokka.sh of ${author}.`,
    fleet_id: "orchard",
  });
  const headers = { "content-type": "application/json" };
  const reply = await fetch(`${url}/api/v1/memories`, { method: "POST", headers, body });
  return z.object({ id: z.string() }).parse(await reply.json()).id;
}
const countsOf = async (id: string) => Counts.parse(await (await fetch(`${url}/api/v1/memories/${id}/told`)).json());

const transcriptOf = (name: string) => join(folder.path, `${name}.jsonl`);
async function hook(event: string, session_id: string, debug: readonly string[] = []) {
  const prompt = "when do deploys go out on Tuesday?";
  const told = { session_id, cwd: project, prompt, transcript_path: transcriptOf(session_id) };
  const flags = ["--harness", "claude", "--data", data, ...debug];
  const child = Bun.spawn([...CAIRN, "hook", event, ...flags], {
    ...{ stdin: new Blob([JSON.stringify(told)]), stdout: "pipe", stderr: "pipe" },
    env: ENV,
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

test("a hook has what it told counted, and the next one that it was used", async () => {
  const id = await aNote("Savitzky");
  expect((await hook("user-prompt", "asked", ["--debug"])).out).toContain(id);
  expect(await countsOf(id)).toEqual({ told: 0, watched: 0, used: 0 });
  const count = async (kind: keyof z.infer<typeof Counts>) => (await countsOf(id))[kind];
  for (let i = 0; i < LATE_MAX && (await count("used")) === 0; i++) {
    const session = `session-${i}`;
    const before = await count("told");
    expect(await hook("user-prompt", session)).toMatchObject({ code: 0, err: "" });
    if ((await count("told")) === before) continue;
    const message = { role: "assistant", content: [{ type: "text", text: "Running quokka.sh now." }] };
    writeFileSync(transcriptOf(session), `${JSON.stringify({ type: "assistant", message })}\n`);
    expect(await hook("session-end", session)).toEqual({ code: 0, out: "", err: "" });
  }
  const { told, watched, used } = await countsOf(id);
  expect([told > 0, watched, used]).toEqual([true, 1, 1]);
});

test("a transcript that nobody ends or that is as large as a disk keeps no hook", async () => {
  const id = await aNote("Golay");
  expect(Bun.spawnSync(["mkfifo", transcriptOf("pipe")]).exitCode).toBe(0);
  expect(Bun.spawnSync(["truncate", "--size=8G", transcriptOf("vast")]).exitCode).toBe(0);
  for (const session of ["pipe", "vast"]) {
    await hook("user-prompt", session);
    const started = performance.now();
    expect(await hook("session-end", session)).toEqual({ code: 0, out: "", err: "" });
    expect(performance.now() - started).toBeLessThan(5_000);
  }
  expect(await countsOf(id)).toMatchObject({ watched: 0, used: 0 });
});
