import { afterAll, describe, expect, test } from "bun:test";
import { appendFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CallLocal } from "../../../src/cli/call.ts";
import { callThrough } from "../../../src/cli/call.ts";
import type { ToldMemory } from "../../../src/cli/hook/compose.ts";
import { readCall } from "../../../src/cli/hook/harness.ts";
import { FLOORS } from "../../../src/cli/hook/level.ts";
import { runHook } from "../../../src/cli/hook/run.ts";
import { recordTold } from "../../../src/cli/hook/told/record.ts";
import type { HookEvent } from "../../../src/cli/setup/part.ts";
import { ToldCounts } from "../../../src/core/schema/observing/told.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { temporaryFolder } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { openApp } from "../../support/in-process.ts";

const clock = fakeClock();
const { app, client, settle } = await openApp({ clock });
const home = temporaryFolder();
afterAll(async () => {
  await app.stop();
  home.remove();
});
const api = memoriesApi(client);
const call = callThrough("http://localhost", {}, (request) => app.handle(request));
const countsOf = async (id: string) => {
  const { told, watched, used } = await client.ok(ToldCounts, "GET", `${MEMORIES}/${id}/told`, {
    query: { tenant_id: TENANT },
  });
  return { told, watched, used };
};

let sessions = 0;
let tellers = 0;
interface SessionOptions {
  readonly project: string;
  readonly transcript?: string | null;
  readonly call?: CallLocal;
  readonly explain?: (why: string) => void;
}
/** A session with a transcript: what its hooks say, each of which then counts what it told. */
function aSession({ project: id, explain, ...options }: SessionOptions) {
  const session_id = `told-${++sessions}`;
  const path = options.transcript ?? join(home.path, `${session_id}.jsonl`);
  const project = { id, name: id, names: [id], source: "git remote", is_new: false, unsettled_before: null };
  const hook = async (event: HookEvent, fields: object = {}) => {
    const told = { session_id, cwd: "/w", transcript_path: options.transcript === null ? null : path, ...fields };
    const input = readCall(event, JSON.stringify(told), "claude");
    const memories: ToldMemory[] = [];
    const tools = {
      ...{ call: options.call ?? call, has_key: false, fault: null, project, floor: FLOORS.normal, clock, explain },
      ...{ work: () => null, folder: join(home.path, "hooks"), wait_ms: () => 2_000, teller: String(++tellers) },
    };
    const answer = await runHook(input, { ...tools, onTold: (some) => memories.push(...some) });
    await recordTold(input, memories, { ...tools, hasTime: () => true });
    return answer;
  };
  const write = (role: "assistant" | "user", text: string) => {
    clock.advance(1_000);
    const timestamp = new Date(clock.now()).toISOString();
    const content = [{ type: "text", text }];
    appendFileSync(path, `${JSON.stringify({ type: role, message: { role, content }, timestamp })}\n`);
    clock.advance(1_000);
  };
  return { hook, write, path, prompt: (prompt: string) => hook("user-prompt", { prompt }) };
}

let notes = 0;
/** A note of a project of its own, and a question that it answers. */
async function aNote() {
  const project = `told-project-${++notes}`;
  const content = "The kiln of the pottery is fired by Savitzky at 1240 degrees.";
  const { id } = await api.write({ content, fleet_id: project });
  await settle();
  return { id, project, content, question: "who fires the kiln of the pottery?" };
}

describe("what hooks tell", () => {
  test("is counted, and used once by what the agent does after", async () => {
    const { id, project, question } = await aNote();
    const session = aSession({ project });
    session.write("assistant", "Savitzky fires at 1240, I said before anybody told me.");
    await session.hook("session-start", { source: "startup" });
    expect(await countsOf(id)).toEqual({ told: 1, watched: 0, used: 0 });
    session.write("user", question);
    session.write("assistant", "I will look at it.");
    await session.prompt("and what of the glaze of the pots?");
    expect(await countsOf(id)).toEqual({ told: 1, watched: 1, used: 0 });
    session.write("assistant", "It is Savitzky who fires it, at 1240 degrees.");
    await session.prompt("thanks");
    expect(await countsOf(id)).toEqual({ told: 1, watched: 1, used: 1 });
    session.write("assistant", "Savitzky, 1240.");
    await session.hook("session-end");
    expect(await countsOf(id)).toEqual({ told: 1, watched: 1, used: 1 });
  });

  test("is looked up before a context is summed up, and told and counted again after", async () => {
    const { id, project } = await aNote();
    const session = aSession({ project });
    await session.hook("session-start", { source: "startup" });
    session.write("assistant", "Asking Savitzky for 1240 degrees.");
    await session.hook("pre-compact", { trigger: "auto" });
    expect(await countsOf(id)).toEqual({ told: 1, watched: 1, used: 1 });
    await session.hook("session-start", { source: "compact" });
    session.write("assistant", "Nothing of it.");
    await session.hook("session-end");
    expect(await countsOf(id)).toEqual({ told: 2, watched: 2, used: 1 });
    expect(readdirSync(join(home.path, "hooks")).filter((name) => name.endsWith(".told"))).toEqual([]);
  });

  test("is not used by what the user's own prompts say, nor without anything done", async () => {
    const { id, project } = await aNote();
    const session = aSession({ project });
    await session.prompt("who fires the kiln of the pottery, is it Savitzky at 1240?");
    session.write("assistant", "Savitzky at 1240 degrees, yes.");
    await session.prompt("thanks");
    expect(await countsOf(id)).toMatchObject({ told: 1, used: 0 });
    const other = aSession({ project });
    await other.hook("session-start", { source: "startup" });
    other.write("user", "It is Savitzky, at 1240.");
    await other.hook("session-end");
    expect(await countsOf(id)).toMatchObject({ told: 2, watched: 0, used: 0 });
  });

  test("is counted without a transcript, and not as watched", async () => {
    const { id, project } = await aNote();
    const session = aSession({ project, transcript: null });
    await session.hook("session-start", { source: "startup" });
    await session.hook("session-end");
    expect(await countsOf(id)).toEqual({ told: 1, watched: 0, used: 0 });
  });

  test.each([
    ["a link", (path: string, file: string) => symlinkSync(file, path)],
    ["a pipe", (path: string) => Bun.spawnSync(["mkfifo", path])],
    ["no JSON", (path: string) => writeFileSync(path, "Savitzky 1240 ".repeat(100))],
    ["nothing but a long line", (path: string) => writeFileSync(path, `{"a":"${"Savitzky 1240 ".repeat(200_000)}"}`)],
  ])("is not used by a transcript that is %s", async (kind, make) => {
    const { id, project } = await aNote();
    const real = aSession({ project });
    real.write("assistant", "Savitzky 1240");
    const path = join(home.path, `hostile-${kind.replaceAll(" ", "-")}.jsonl`);
    const session = aSession({ project, transcript: path });
    await session.hook("session-start", { source: "startup" });
    real.write("assistant", "Savitzky 1240");
    make(path, real.path);
    expect(await session.prompt("thanks")).toBe("");
    expect(await countsOf(id)).toEqual({ told: 1, watched: 0, used: 0 });
  });

  test("is told once by two hooks at once, and used once", async () => {
    const { id, project } = await aNote();
    const session = aSession({ project });
    const twice = async (event: HookEvent, fields: object) => {
      await Promise.all([session.hook(event, fields), session.hook(event, fields)]);
    };
    await twice("session-start", { source: "startup" });
    session.write("assistant", "Savitzky 1240");
    await twice("user-prompt", { prompt: "thanks" });
    expect(await countsOf(id)).toEqual({ told: 1, watched: 1, used: 1 });
  });

  test("scores less where it was told often and never used, and whoever asks is told so", async () => {
    const { id, project, question } = await aNote();
    const said: string[] = [];
    const asks = () => aSession({ project, explain: (why) => said.push(why) });
    const first = asks();
    await first.hook("session-start", { source: "startup" });
    const lines = async () => {
      said.length = 0;
      await asks().prompt(question);
      return said.filter((why) => why.includes(id));
    };
    const [before = ""] = await lines();
    expect(before).not.toContain("never used");
    const report = { tenant_id: TENANT, told: [id], watched: [id] };
    for (let i = 0; i < 25; i++) await call("POST", `${MEMORIES}/told`, report);
    const [sunk = ""] = await lines();
    const { told } = await countsOf(id);
    expect(sunk).toContain(`, told ${told - 1} times, never used: [${id}]`);
    expect(Number.parseFloat(sunk)).toBeCloseTo(Number.parseFloat(before) / 2, 2);
    await call("POST", `${MEMORIES}/told`, { tenant_id: TENANT, used: [id] });
    expect((await lines())[0]).not.toContain("never used");
  });
});
