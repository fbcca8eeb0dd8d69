import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { hashEmbedder } from "../../src/ai/models/hash-embedder.ts";
import type { Services } from "../../src/core/ports/context.ts";
import type { Embedder } from "../../src/core/ports/embedder.ts";
import { runForge } from "../../src/forge/run.ts";
import { OFFICE } from "../http/fixtures/forge-office.ts";
import { forgeApi } from "../support/api/forge.ts";
import { skillsApi } from "../support/api/skills.ts";
import { TENANT } from "../support/builders.ts";
import { fakeClock } from "../support/clock.ts";
import type { InProcess, InProcessOptions } from "../support/in-process.ts";
import { openApp } from "../support/in-process.ts";
import { aFolder } from "./server.ts";

/** Only against a hang: nothing here is about time. */
setDefaultTimeout(120_000);

const opened: InProcess[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ app }) => app.stop()));
});

async function open(options: InProcessOptions = {}) {
  const clock = fakeClock();
  const app = await openApp({ clock, ...options });
  opened.push(app);
  return { ...app, clock, forge: forgeApi(app.client, clock) };
}

const PROCEDURES = OFFICE.filter(({ procedure }) => procedure === "certificate" || procedure === "password");
const untold = () => new AbortController().signal;
const tick = (services: Services, run: string, signal = untold()) =>
  runForge(services, { kind: "forge_tick", payload: { tenant_id: TENANT, run }, signal });

/** The same services, but a disk on which no skill after the first can be written. */
function withOneWrite(services: Services): Services {
  const { storage } = services;
  let writes = 0;
  const change: typeof storage.skills.change = (...args) => {
    if (++writes > 1) return Promise.reject(new Error("disk gone"));
    return storage.skills.change(...args);
  };
  return { ...services, storage: { ...storage, skills: { ...storage.skills, change } } };
}

test("a run that died between two skills is taken up again, tells of both, and writes each once", async () => {
  const { app, forge, settle } = await open();
  await forge.enable();
  await forge.write(PROCEDURES);
  await forge.trigger();
  const { id } = await forge.last();
  expect(await tick(withOneWrite(app.services), id).catch(String)).toContain("disk gone");
  expect(await forge.skills()).toHaveLength(1);
  await settle();
  const told = await forge.last();
  expect(told).toMatchObject({ id, error: null, written: 2, skipped: 0 });
  const skills = await forge.skills();
  expect(skills.map(({ doc_id }) => doc_id).sort()).toEqual(told.clusters.map(({ doc_id }) => doc_id ?? "").sort());
});

test("what an earlier attempt of a run wrote counts against the cap of its writes", async () => {
  const { app, forge } = await open();
  await forge.enable({ forge: { max_writes_per_run: 1 } });
  await forge.write(PROCEDURES);
  await forge.trigger();
  const { id } = await forge.last();
  const { storage } = app.services;
  const finish = () => Promise.reject(new Error("disk gone"));
  const unfinished = { ...app.services, storage: { ...storage, forge: { ...storage.forge, finish } } };
  expect(await tick(unfinished, id).catch(String)).toContain("disk gone");
  await tick(app.services, id);
  expect(await forge.last()).toMatchObject({ written: 1, clusters: [{}, { reason: "write_cap" }] });
  expect(await forge.skills()).toHaveLength(1);
});

test("an attempt that failed says why, and the run stays open for the next one", async () => {
  const { app, forge } = await open();
  await forge.enable();
  await forge.write(PROCEDURES);
  await forge.trigger();
  const { id } = await forge.last();
  expect(await tick(withOneWrite(app.services), id).catch(String)).toContain("disk gone");
  expect(await forge.last()).toMatchObject({ id, finished_at: null, error: expect.stringContaining("disk gone") });
  await tick(app.services, id);
  const over = await forge.last();
  expect(over).toMatchObject({ error: null, written: 2 });
  await tick(app.services, id);
  expect(await forge.last()).toEqual(over);
});

test("a run that is told to stop stops, and goes on after the next start", async () => {
  const folder = aFolder();
  const before = await open({ folder });
  await before.forge.enable();
  await before.forge.write(PROCEDURES);
  await before.forge.trigger();
  const { id } = await before.forge.last();
  const stopped = tick(before.app.services, id, AbortSignal.abort(new Error("stopping")));
  expect(await stopped.catch(String)).toContain("stopping");
  expect(await before.forge.last()).toMatchObject({ finished_at: null, error: null });
  await before.app.stop();
  const after = await open({ folder });
  after.clock.advance(24 * 3_600_000);
  await after.settle();
  expect(await after.forge.last()).toMatchObject({ id, written: 2, error: null });
});

/** The hash embedder, until it is broken. */
function breakable() {
  const real = hashEmbedder();
  let reason: string | null = null;
  let isReading = true;
  const embedder: Embedder = {
    ...real,
    state: () => (reason === null ? real.state() : { phase: "failed", reason }),
    embed: async (texts, options) => {
      if (reason !== null || !isReading) throw new Error(reason ?? "unread");
      return real.embed(texts, options);
    },
  };
  const breakDown = () => {
    reason = "no model";
  };
  /** Fails every text from now on, without saying so beforehand. */
  const breakReading = () => {
    isReading = false;
  };
  return { embedder, breakDown, breakReading };
}

test("without a model, runs are read by their words", async () => {
  const { embedder, breakDown } = breakable();
  const { forge, settle } = await open({ embedder });
  await forge.enable();
  await forge.write(PROCEDURES);
  breakDown();
  await forge.trigger();
  await settle();
  expect(await forge.last()).toMatchObject({ error: null, written: 2 });
});

test("what was rejected lately is told from its runs, before any model reads them", async () => {
  const { embedder, breakReading } = breakable();
  const { app, client, forge, settle } = await open({ embedder });
  await forge.enable();
  const runs = PROCEDURES.filter(({ procedure }) => procedure === "certificate");
  await forge.write(runs.slice(0, 4));
  await forge.trigger();
  await settle();
  const [skill] = await forge.skills();
  await skillsApi(client).act(skill?.doc_id ?? "", "reject", { reason: "We do not do this." });
  await forge.write(runs.slice(4));
  await settle();
  await forge.trigger();
  breakReading();
  await tick(app.services, (await forge.last()).id);
  expect(await forge.last()).toMatchObject({ error: null, clusters: [{ reason: "poisoned", doc_id: skill?.doc_id }] });
});
