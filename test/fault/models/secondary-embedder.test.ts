import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import type { Embedder } from "../../../src/core/ports/embedder.ts";
import { Status } from "../../../src/core/schema/system.ts";
import { docIdsOf, documentsApi } from "../../support/api/documents.ts";
import { enableFactory, skillsApi } from "../../support/api/skills.ts";
import { TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import type { InProcess, InProcessOptions } from "../../support/in-process.ts";
import { openApp } from "../../support/in-process.ts";

const HOUR_MS = 3_600_000;
const HANG_GUARD_MS = 180_000;
setDefaultTimeout(HANG_GUARD_MS);
const JOB_LIMIT_MS = 300;

const opened: InProcess[] = [];
afterAll(async () => {
  await Promise.all(opened.map(({ app }) => app.stop()));
});

async function open(options: InProcessOptions): Promise<InProcess> {
  const app = await openApp({ embedder: hashEmbedder(), jobLimitMs: JOB_LIMIT_MS, ...options });
  opened.push(app);
  return app;
}

/** A secondary embedder for which two texts are alike when they speak of the same animal, whatever else they say. */
function animalReader(embed: (read: () => Promise<Float32Array[]>) => Promise<Float32Array[]>): Embedder {
  const real = hashEmbedder();
  const animals = (text: string) => (/marsupial|numbat/i.test(text) ? "numbat" : "other");
  return {
    ...real,
    id: "animals",
    embed: (texts, options) => embed(() => real.embed(texts.map(animals), options)),
  };
}

const never = new Promise<never>(() => {});
const FAULTS: Readonly<Record<string, () => Promise<Float32Array[]>>> = {
  "rejects with an error": () => Promise.reject(new Error("out of order")),
  "never answers": () => never,
  "answers with nothing": async () => [],
};

const QUESTION = "a striped marsupial and its termites";
async function write(app: InProcess): Promise<ReturnType<typeof documentsApi>> {
  const api = documentsApi(app.client);
  await api.put("animals", "insects", { summary: "Which termites have striped wings" });
  await api.put("animals", "numbat", { summary: "What the numbat eats", food: "termites" });
  return api;
}
const statusOf = ({ client }: InProcess): Promise<Status> => client.ok(Status, "GET", "/api/v1/status");

for (const [name, fault] of Object.entries(FAULTS)) {
  test.concurrent(`while the secondary embedder ${name}, documents go by the first alone, and by both once it heals`, async () => {
    const clock = fakeClock();
    let healed = false;
    const secondaryDocumentEmbedder = animalReader((read) => (healed ? read() : fault()));
    const app = await open({ clock, secondaryDocumentEmbedder });
    const api = await write(app);
    expect(docIdsOf((await api.search(QUESTION)).results)).toEqual(["insects", "numbat"]);
    await app.settle();
    expect((await statusOf(app)).jobs).toMatchObject({ due: 0, failing: 2 });

    healed = true;
    clock.advance(HOUR_MS);
    await app.settle();
    expect((await statusOf(app)).jobs).toMatchObject({ due: 0, failing: 0 });
    expect(docIdsOf((await api.search(QUESTION)).results)).toEqual(["numbat", "insects"]);
  });
}

test("a skill is read twice like any document, and again after every move", async () => {
  const app = await open({ secondaryDocumentEmbedder: animalReader((read) => read()) });
  await enableFactory(app.client);
  const skills = skillsApi(app.client);
  const { id } = await skills.write("feed-numbats", { source: "manual" });
  const unread = async () =>
    (await app.app.services.storage.documents.withoutSecondaryVectors(TENANT, [id], "animals")).length;
  await app.settle();
  expect(await unread()).toBe(0);
  await skills.act("feed-numbats", "quarantine", { reason: "Nobody feeds them." });
  await app.settle();
  expect(await unread()).toBe(0);
});

test("a secondary embedder that could not be loaded is done without: no job waits for it", async () => {
  let isLoaded = true;
  const real = animalReader((read) => {
    isLoaded = false;
    return Promise.reject(new Error(String(read.length)));
  });
  const secondaryDocumentEmbedder: Embedder = {
    ...real,
    state: () => (isLoaded ? real.state() : { phase: "failed", reason: "no such file" }),
  };
  const app = await open({ secondaryDocumentEmbedder });
  const api = await write(app);
  await app.settle();
  expect(docIdsOf((await api.search(QUESTION)).results)).toEqual(["insects", "numbat"]);
  const { jobs, paraphraser: shown } = await statusOf(app);
  expect(jobs).toMatchObject({ due: 0, failing: 0 });
  expect(shown).toEqual({ provider: "local", model: "animals", configured: true, phase: "failed" });
});
