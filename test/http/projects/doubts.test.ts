import { afterAll, expect, test } from "bun:test";
import { inspectProjects } from "../../../src/cli/doctor/projects.ts";
import { askBrief } from "../../../src/cli/hook/ask-brief.ts";
import { askFitting } from "../../../src/cli/hook/ask-prompt.ts";
import { askWhich } from "../../../src/cli/which-project.ts";
import { Project } from "../../../src/core/schema/projects/project.ts";
import { ProjectRegistry } from "../../../src/core/schema/projects/registry.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { TENANT } from "../../support/builders.ts";
import { openApp } from "../../support/in-process.ts";

// The registry is put as an upgrade leaves it, which no request can do: always in this process.
const { app, client } = await openApp({ flags: ["--embedder=hash"] });
afterAll(() => app.stop());
const api = memoriesApi(client);

/** A registry as the upgrade makes it of a fleet that held something. */
const LEGACY = ProjectRegistry.parse({
  projects: [{ id: "api", origin: "legacy", created_at: "2999-01-01T00:00:00.000Z" }],
});
const OWNER = { agent_id: null, auth_source: "standalone" };

test("what two repositories shared is told by no hook, and by the doctor, until somebody settles it", async () => {
  const { call, services } = app;
  const query = "Where does the staging password lie?";
  await api.write({ fleet_id: "api", content: "The staging password lies in the vault." });
  await api.write({ fleet_id: "api", visibility: "scope_org", content: "Everyone wears hats." });
  await services.storage.projects.change(TENANT, OWNER, () => ({ result: null, registry: LEGACY }));
  const of = (owner: string) => askWhich(call, { save: false }, { remote: `github.com/${owner}/api` });
  const told = async (owner: string) => {
    const { project } = await of(owner);
    const now = Date.parse("2026-12-01");
    const brief = await askBrief(call, { work: null, floor: 0.2, wait_ms: 0, project, agent: null, now });
    const found = await askFitting(call, { query, project, floor: 0.2, wait_ms: 2_000 });
    return [...brief.decided, ...brief.noted, ...found]
      .map(({ content }) => content)
      .filter((text) => text.includes("vault"));
  };
  expect(await told("client-a")).not.toEqual([]);
  expect((await of("client-b")).project).toMatchObject({ id: "client-b/api", unsettled_before: null });
  expect(await told("client-a")).toEqual([]);
  expect(await told("client-b")).toEqual([]);
  const findings = (await inspectProjects(call)).map(({ state, what }) => [state, what.split(",", 1)[0]]);
  expect(findings).toEqual([
    ["note", "2 memories of client-a/api may be another project's of the same name"],
    ["note", "1 memory of client-a/api can be seen from every project"],
  ]);
  await client.ok(Project, "POST", "/api/v1/projects/settle", { body: { project: "client-a/api" } });
  expect(await told("client-a")).not.toEqual([]);
  expect(await told("client-b")).toEqual([]);
});
