import { afterAll, expect, test } from "bun:test";
import { z } from "zod";
import { Document } from "../../../src/core/schema/document.ts";
import { docIdsOf } from "../../support/api/documents.ts";
import { enableFactory, skillsApi } from "../../support/api/skills.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";
import { holder } from "../../support/credentials.ts";

const app = await startApp();
afterAll(() => app.stop());

test.each([1, 2, 3, 4])(
  "with the bridge on, a walk by pages of %d meets every skill and its bare slug once",
  async (limit) => {
    await enableFactory(app.client, { openclaw_bridge: { enabled: true } });
    const admin = skillsApi(app.client);
    const agent = skillsApi(await holder(app.client, { agent_id: `scout-${limit}`, trust: 1 }));
    await admin.write("by-hand", { source: "manual", status: "active" });
    for (const slug of ["one", "two", "three"]) {
      await agent.write(`${slug}-${limit}`);
      await admin.act(`agent/${slug}-${limit}`, "approve");
    }
    const all = docIdsOf(await admin.installable()).sort();
    const seen: string[] = [];
    let next: string | null = "0";
    while (next !== null && seen.length <= all.length) {
      const body = { tenant_id: TENANT, limit, offset: Number(next) };
      const reply = await app.client.call("POST", "/api/v1/skills/installable", { body });
      const skills = docIdsOf(z.array(Document).parse(reply.body));
      // Both addresses of one skill come together, so that it can be passed over.
      expect(skills.length).toBeLessThanOrEqual(Math.max(limit, 2));
      seen.push(...skills);
      next = reply.headers.get("X-Next-Offset");
      expect(reply.headers.get("X-Truncated")).toBe(next === null ? null : "true");
    }
    expect(seen.sort()).toEqual(all);
  },
);
