import type { TestServer } from "./server.ts";

// Made-up memories of three projects, for pictures of the console and for tests that want every page full.

const DAY_MS = 86_400_000;
const DAYS = 60;
const PROJECTS = ["atlas", "beacon", "harbor"] as const;
const AGENTS = ["planner", "builder", "reviewer", "operator"] as const;

/** What is said of each project's parts: statement, type. */
const STATEMENTS: readonly (readonly [text: string, type: string])[] = [
  ["The {project} API signs its tokens with RS256 and rotates the keys every thirty days.", "fact"],
  ["Decision: {project} keeps PostgreSQL and does not move to a document store.", "decision"],
  ["The build of {project} needs Node 22; with Node 20 the bundler runs out of memory.", "fact"],
  ["Run the {project} integration tests with --runInBand, otherwise they share one port.", "fact"],
  ["Prefer small pull requests in {project}: one change, one test, one reason.", "preference"],
  ["The nightly job of {project} failed because the disk of the cache host was full.", "episode"],
  ["Plan: {project} gets rate limits per key before the public beta opens.", "plan"],
  ["{project} logs go to Loki; search them by request id, never by customer.", "fact"],
  ["Open task: write the migration of {project} that drops the legacy column `state`.", "task"],
  ["The staging cluster of {project} is rebuilt every Sunday night.", "fact"],
  ["Use Terraform for every change of {project} infrastructure, nothing by hand.", "preference"],
  ["The checkout page of {project} loads in 1.2 s since images are sent as AVIF.", "fact"],
];
/** Pairs of which the later overtakes the earlier. */
const CHANGES: readonly (readonly [before: string, after: string])[] = [
  ["Deploys of {project} go out every Tuesday.", "Deploys of {project} go out every Thursday."],
  ["The API of {project} listens on port 8080.", "The API of {project} listens on port 9090."],
  [
    "Releases of {project} are built on Jenkins.",
    "Releases of {project} are no longer built on Jenkins but on Buildkite.",
  ],
];
const RULES: readonly (readonly [doc_id: string, title: string, content: string, weight: string])[] = [
  ["no-secrets", "No secrets in memories", "Never write keys, passwords or tokens into a memory.", "high"],
  ["ask-before-delete", "Ask before deleting data", "Ask the owner before you delete data of a customer.", "med"],
  ["cite-tickets", "Cite the ticket", "Name the ticket in every decision you write down.", "low"],
];

const said = (text: string, project: string): string => text.replaceAll("{project}", project);

/** Fills a server with what the pages are to show, and waits until it was read. */
export async function fillForPictures(server: TestServer, now = Date.now()): Promise<void> {
  const at = (daysAgo: number) => new Date(now - daysAgo * DAY_MS).toISOString();
  const statements = PROJECTS.flatMap((project, p) =>
    STATEMENTS.map(([text, memory_type], i) => ({
      record: "memory",
      content: said(text, project),
      memory_type,
      fleet_id: project,
      agent_id: AGENTS[(i + p) % AGENTS.length],
      weight: 0.3 + ((i * 7 + p) % 7) / 10,
      created_at: at((i * 17 + p * 5) % DAYS),
    })),
  );
  await server.call("POST", "/api/v1/import", { records: statements });
  for (const half of [0, 1] as const) {
    for (const project of PROJECTS) {
      const records = CHANGES.map((pair, i) => ({
        record: "memory",
        content: said(pair[half], project),
        fleet_id: project,
        agent_id: AGENTS[i % AGENTS.length],
        created_at: at(half === 0 ? 40 - i : 6 - i),
      }));
      await server.call("POST", "/api/v1/import", { records });
    }
  }
  for (const [doc_id, title, content, weight] of RULES) {
    await server.call("POST", "/api/v1/keystones", { doc_id, title, content, weight, scope: "tenant" });
  }
  for (const project of PROJECTS) {
    const data = { name: project, stage: "beta", contact: `#${project}`, services: ["api", "web", "worker"] };
    await server.call("POST", "/api/v1/documents", { collection: "projects", doc_id: project, data });
  }
  await fillSkills(server);
  await settled(server);
}

const STEPS = Array.from({ length: 12 }, (_, i) => `${i + 1}. Step ${i + 1} of the restore.`);

/** A skill in use, an update of it that waits, and one that the scan has something to say about. */
export async function fillSkills(server: TestServer): Promise<void> {
  await server.call("PATCH", "/api/v1/settings", { skills_factory: { enabled: true } });
  const key = await server.call("POST", "/api/v1/keys", { agent_id: "builder", trust: 1 });
  const agent = { "X-API-Key": textAt(key, "raw_key") };
  const put = (slug: string, data: Record<string, unknown>, headers = {}) =>
    server.call(
      "POST",
      "/api/v1/documents",
      { collection: "skills", doc_id: slug, data: { slug, domain: "work", kind: "create", source: "agent", ...data } },
      headers,
    );
  const restore = { name: "Restore the staging database", description: "Restores staging from the nightly dump." };
  const live = await put("restore-staging", {
    ...restore,
    source: "manual",
    status: "active",
    content: `# Restore staging\n\n${STEPS.join("\n")}\n`,
  });
  const changed = STEPS.with(3, "4. Stop the workers first.").concat("13. Compare the counts of rows.");
  await put(
    "restore-staging",
    {
      ...restore,
      kind: "update",
      target: { target_content_hash: textAt(memberOf(live, "data"), "content_hash") },
      content: `# Restore staging\n\n${changed.join("\n")}\n`,
    },
    agent,
  );
  await put(
    "free-the-disk",
    {
      name: "Free the disk of the build machine",
      description: "What to delete when the disk is full.",
      content:
        '# Free the disk\n\nRun `rm -rf /var/cache/build/*`.\n\n```yaml\npassword: "hunter2hunter2hunter2"\n```\n',
    },
    agent,
  );
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
const textAt = (value: unknown, name: string): string => String(memberOf(value, name));

const LOOK_MS = 200;

/** Resolves once every memory was read for what it says. */
export async function settled(server: TestServer): Promise<void> {
  for (;;) {
    const status = await server.call("GET", "/api/v1/status");
    if (pendingOf(status) === 0) return;
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}

const pendingOf = (status: unknown): number => Number(memberOf(memberOf(status, "jobs"), "pending") ?? 0);
