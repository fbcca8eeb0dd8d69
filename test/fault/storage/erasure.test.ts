import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DAY_MS } from "../../../src/core/kernel/clock.ts";
import { Memory } from "../../../src/core/schema/memory.ts";
import { ensureRecurring } from "../../../src/startup/background-jobs.ts";
import { temporaryFolder } from "../../support/app.ts";
import { fakeClock } from "../../support/clock.ts";
import { openApp } from "../../support/in-process.ts";

const folder = temporaryFolder();
const clock = fakeClock();
const { app, client, settle } = await openApp({ folder: folder.path, clock, flags: ["--embedder=hash"] });
await ensureRecurring(app.services);
afterAll(async () => {
  await app.stop();
  folder.remove();
});

const MEMORIES = "/api/v1/memories";
const query = { tenant_id: "default" };

/** The files of the data folder that hold these bytes. */
function holding(bytes: string): string[] {
  const files = readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(bytes))
    .map(({ name }) => name);
}

let secrets = 0;
/** A word that nothing else holds, in text, keywords (which are stemmed) and names alike. */
const aSecret = () => `zqv${++secrets}xwjkqpz${Math.random().toString(36).slice(2, 10)}q`;

/** Writes others around it, so that the secret lies between live rows. */
async function surrounded(write: () => Promise<string>): Promise<string> {
  const filler = async (part: string) => {
    const items = Array.from({ length: 60 }, (_, i) => ({
      content: `Filler ${part} ${secrets} ${i}: ${"words ".repeat(30 + i)}`,
    }));
    await client.call("POST", `${MEMORIES}/bulk`, { body: { ...query, items } });
  };
  await filler("before");
  const id = await write();
  await filler("after");
  await settle();
  return id;
}

const text = (secret: string) =>
  `The vault code of Marta ${secret.toUpperCase()} is ${secret}. Miss ${secret} said so on 3 May 2026.`;

const writeMemory = (secret: string) => async () => {
  const body = { ...query, content: text(secret), title: `About ${secret}`, metadata: { note: secret } };
  const headers = { "Idempotency-Key": secret.slice(0, 8) + secrets };
  return (await client.ok(Memory, "POST", MEMORIES, { body, headers })).id;
};

describe("no file of the data folder holds a word", () => {
  test("of a memory whose grace is over", async () => {
    const secret = aSecret();
    const id = await surrounded(writeMemory(secret));
    expect(holding(secret.slice(4))).not.toEqual([]);
    await client.call("DELETE", `${MEMORIES}/${id}`, { query });
    await settle();
    clock.advance(31 * DAY_MS);
    await settle();
    expect(holding(secret.slice(4))).toEqual([]);
  });

  test("of a memory that was erased at once, as it was and as it had been before", async () => {
    const secret = aSecret();
    const former = aSecret();
    const id = await surrounded(writeMemory(former));
    await client.call("PATCH", `${MEMORIES}/${id}`, { query, body: { content: text(secret), title: secret } });
    await settle();
    await client.call("DELETE", `${MEMORIES}/${id}`, { query: { ...query, erase: true } });
    await settle();
    expect([...holding(secret.slice(4)), ...holding(former.slice(4))]).toEqual([]);
  });

  test("of a document that was deleted", async () => {
    const secret = aSecret();
    const key = { ...query, collection: "vaults" };
    const doc_id = "vault";
    await surrounded(async () => {
      const body = { ...key, doc_id, data: { summary: text(secret), note: secret, nested: { deep: [secret] } } };
      const headers = { "Idempotency-Key": `document-${secrets}` };
      await client.call("POST", "/api/v1/documents", { body, headers });
      return doc_id;
    });
    expect(holding(secret.slice(4))).not.toEqual([]);
    await client.call("DELETE", `/api/v1/documents/${doc_id}`, { query: key });
    clock.advance(2 * 60_000);
    await settle();
    expect(holding(secret.slice(4))).toEqual([]);
  });
});
