import type { Document } from "../../../src/core/schema/document.ts";
import type { ForgeRun } from "../../../src/core/schema/forge.ts";
import { ForgeRunList, LifecycleTriggered } from "../../../src/core/schema/forge.ts";
import { OrgSettings } from "../../../src/core/schema/settings.ts";
import { TENANT } from "../builders.ts";
import type { FakeClock } from "../clock.ts";
import type { Client } from "./client.ts";
import { documentsApi } from "./documents.ts";
import { memoriesApi } from "./memories.ts";

export const FORGE_RUNS = "/api/v1/forge/runs";
export const TRIGGER = "/api/v1/admin/lifecycle/forge-distill";
export const FANOUT = "/api/v1/admin/lifecycle/fanout/forge-distill";

type Fields = Readonly<Record<string, unknown>>;

/** What one agent wrote in one run. */
export interface TestRun {
  readonly run_id: string;
  readonly agent_id: string;
  readonly rows: readonly string[];
}

export interface ForgeApi {
  /** Switches the skill factory on, with these settings of it. */
  enable(factory?: Fields): Promise<OrgSettings>;
  /** Writes runs row by row, a minute apart. */
  write(runs: readonly TestRun[], fields?: Fields): Promise<void>;
  /** Sets a run off by hand. */
  trigger(fields?: Fields): Promise<LifecycleTriggered>;
  runs(query?: Readonly<Record<string, string | number>>): Promise<ForgeRun[]>;
  /** The newest run. */
  last(): Promise<ForgeRun>;
  /** Skills of the Forge, whatever their status. */
  skills(): Promise<Document[]>;
}

const MINUTE_MS = 60_000;

export function forgeApi(client: Client, clock: FakeClock, tenant_id = TENANT): ForgeApi {
  const memories = memoriesApi(client, tenant_id);
  const runs: ForgeApi["runs"] = async (query) =>
    (await client.ok(ForgeRunList, "GET", FORGE_RUNS, { query: { tenant_id, ...query } })).items;
  return {
    enable: (factory) =>
      client.ok(OrgSettings, "PATCH", "/api/v1/settings", {
        query: { tenant_id },
        body: { skills_factory: { enabled: true, ...factory } },
      }),
    write: async (all, fields) => {
      for (const { run_id, agent_id, rows } of all) {
        for (const content of rows) {
          clock.advance(MINUTE_MS);
          await memories.write({ run_id, agent_id, content, ...fields });
        }
      }
    },
    trigger: (fields) => client.ok(LifecycleTriggered, "POST", TRIGGER, { body: { org_id: tenant_id, ...fields } }),
    runs,
    last: async () => {
      const [newest] = await runs({ limit: 1 });
      if (!newest) throw new Error("The Forge has not run.");
      return newest;
    },
    skills: () => documentsApi(client, tenant_id).query("skills", { source: "forge" }),
  };
}
