import { resolvePrincipal, STANDALONE_TENANT } from "../../../src/access/resolve.ts";
import { openApp } from "../../support/in-process.ts";

/** The project of which a folder filled so does not say whose its memories are. */
export const SHARED = "api";

/** Fills a data folder with a project from before there was a registry, whose name two repositories share. */
export async function fillSharedName(folder: string): Promise<void> {
  const { app } = await openApp({ folder });
  try {
    const write = (content: string) =>
      app.handle(
        new Request("http://localhost/api/v1/memories", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ content, fleet_id: SHARED }),
        }),
      );
    await write("The staging host is called maple.");
    await write("The billing host is called birch.");
    const { services } = app;
    const { auth_source } = await resolvePrincipal(services, new Headers());
    const created_at = new Date(services.clock.now() + 1_000).toISOString();
    await services.storage.projects.change(STANDALONE_TENANT, { agent_id: null, auth_source }, (registry) => ({
      result: null,
      registry: {
        projects: [
          ...registry.projects,
          {
            id: SHARED,
            origin: "legacy",
            created_at,
            name: null,
            aliases: [],
            remotes: ["github.com/client-a/api"],
            kept: [],
            folders: [],
            places: [],
            unsettled: true,
            absorbing: [],
          },
        ],
      },
    }));
  } finally {
    await app.stop();
  }
}
