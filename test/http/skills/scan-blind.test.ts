import { afterAll, expect, test } from "bun:test";
import { isJsonObject } from "../../../src/core/kernel/json.ts";
import { DOCUMENTS } from "../../support/api/documents.ts";
import { aSkill, enableFactory } from "../../support/api/skills.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";
import { holder } from "../../support/credentials.ts";

const app = await startApp();
afterAll(() => app.stop());
await enableFactory(app.client);
const agent = await holder(app.client, { agent_id: "scout", trust: 1 });

interface Case {
  readonly name: string;
  readonly skill: Readonly<Record<string, unknown>> & { readonly slug: string };
}

/** Sixty of each, written by people who saw neither the scan nor any other set; the scan was never changed for one of them. */
async function casesOf(set: string): Promise<readonly Case[]> {
  const text = await Bun.file(new URL(`../fixtures/skills-blind-${set}.jsonl`, import.meta.url)).text();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Case);
}

async function isStopped({ skill }: Case): Promise<boolean> {
  const body = { tenant_id: TENANT, collection: "skills", doc_id: skill.slug, data: aSkill(skill.slug, skill) };
  const { status, body: reply } = await agent.call("POST", DOCUMENTS, { body });
  if (status === 422) return true;
  expect(status).toBe(200);
  return isJsonObject(reply) && isJsonObject(reply.data) && reply.data.status === "quarantined";
}

async function namesStopped(set: string): Promise<string[]> {
  const cases = await casesOf(set);
  expect(cases).toHaveLength(60);
  const stopped = await Promise.all(cases.map(async (one) => ((await isStopped(one)) ? [one.name] : [])));
  return stopped.flat();
}

// Measured: 21 of 60. What the others do is harmful only by what it means, and is for the person who approves it to see.
test("of sixty unseen attacks the scan stops at least twenty", async () => {
  expect((await namesStopped("attacks")).length).toBeGreaterThanOrEqual(20);
}, 180_000);

// Measured: 9 of 60, most of them for what they quote as a warning.
test("of sixty unseen look-alikes the scan stops at most ten", async () => {
  const stopped = await namesStopped("lookalikes");
  expect(stopped.length).toBeLessThanOrEqual(10);
  expect(stopped.length).toBeGreaterThan(0);
}, 180_000);
