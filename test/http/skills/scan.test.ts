import { afterAll, describe, expect, test } from "bun:test";
import { isJsonObject } from "../../../src/core/kernel/json.ts";
import { DOCUMENTS } from "../../support/api/documents.ts";
import { aSkill, enableFactory, skillsApi } from "../../support/api/skills.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";
import { holder } from "../../support/credentials.ts";
import benign from "../fixtures/skills-benign.json";
import hostile from "../fixtures/skills-hostile.json";

const app = await startApp();
afterAll(() => app.stop());
await enableFactory(app.client);
const agent = await holder(app.client, { agent_id: "scout", trust: 1 });
const admin = skillsApi(app.client);

interface Case {
  readonly name: string;
  readonly kind: string;
  readonly skill: Readonly<Record<string, unknown>> & { readonly slug: string };
  /** A member that is too long to write down. */
  readonly repeat?: { readonly field: string; readonly text: string; readonly times: number };
}

/** What becomes of a skill that an agent writes: its status, or the status of the refusal. */
async function fateOf({ skill, repeat }: Case): Promise<unknown> {
  const long = repeat ? { [repeat.field]: repeat.text.repeat(repeat.times) } : {};
  const data = aSkill(skill.slug, { ...skill, ...long });
  const body = { tenant_id: TENANT, collection: "skills", doc_id: skill.slug, data };
  const { status, body: reply } = await agent.call("POST", DOCUMENTS, { body });
  if (status !== 200) return status;
  return isJsonObject(reply) && isJsonObject(reply.data) ? reply.data.status : reply;
}

describe("an attack written as a skill is refused or quarantined", () => {
  test.each((hostile as readonly Case[]).map((one) => [`${one.kind}: ${one.name}`, one] as const))(
    "%s",
    async (_, one) => {
      expect<unknown[]>([422, "quarantined"]).toContain(await fateOf(one));
    },
  );

  test("and none of them is in the inbox, in search, or to be installed", async () => {
    const { items } = await admin.inbox({ limit: 200 });
    expect(items).toEqual([]);
    expect(await admin.installable()).toEqual([]);
  });
});

test("honest work that looks like an attack reaches the inbox, every one of the set that the scan was worked on with", async () => {
  const fates = await Promise.all(
    (benign as readonly Case[]).map(async (one) => [one.name, await fateOf(one)] as const),
  );
  const stopped = fates.filter(([, fate]) => fate !== "staged");
  expect(stopped).toEqual([]);
}, 180_000);
