import { afterAll, expect, test } from "bun:test";
import { z } from "zod";
import { Agent, AuditLog } from "../../../src/core/schema/account.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { aStatement } from "../../support/builders.ts";
import { holder } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const { app, client } = await openApp();
afterAll(() => app.stop());

/** What a tenant is told of its agents and its audit log after two writes, while others wrote so many rows. */
async function toldBeside(tenant_id: string, others: number) {
  const admin = await holder(client, { tenant_id, admin: true, trust: 3 });
  const mine = memoriesApi(admin, tenant_id);
  const theirs = memoriesApi(client);
  for (let i = 0; i < 2; i++) {
    for (let k = 0; k < others; k++)
      await theirs.write({ agent_id: `other-${tenant_id}-${i}-${k}`, content: aStatement(`${tenant_id} ${i} ${k}`) });
    await mine.write({ agent_id: `mine-${i}`, content: aStatement(`mine ${i}`) });
  }
  const query = { tenant_id };
  const log = await admin.ok(AuditLog, "GET", "/api/v1/audit-log", { query });
  const agents = await admin.ok(z.array(Agent), "GET", "/api/v1/agents", { query });
  return { log: log.items.map(({ id, action }) => [id, action]), agents: agents.map(({ id }) => id) };
}

test("ids of agents and audit entries do not count what other tenants have", async () => {
  const quiet = await toldBeside("quiet", 0);
  const busy = await toldBeside("busy", 3);
  expect(busy.log).toEqual(quiet.log);
  expect(quiet.log.map(([id]) => id)).toEqual(quiet.log.map((_, i) => quiet.log.length - i));
  for (const id of [...quiet.agents, ...busy.agents]) expect(id).toMatch(/^[0-9a-f-]{36}$/);
});
