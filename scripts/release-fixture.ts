import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { createApp } from "../src/app.ts";
import { loadConfig } from "../src/config/load.ts";
import { silentLogger } from "../src/core/kernel/log.ts";
import { RELEASE } from "../src/version.ts";

// Usage: bun scripts/release-fixture.ts
//
// Writes a backup of a small data folder with a little of everything to test/storage/releases/RELEASE.db.zst, once for each
// release: every later one is held to open it (test/storage/releases.test.ts). One that exists is left as it is.

const file = resolve(import.meta.dir, `../test/storage/releases/${RELEASE}.db.zst`);
const folder = mkdtempSync(join(tmpdir(), "cairn-release-"));
const config = await loadConfig({ XDG_CONFIG_HOME: "/nonexistent" }, [
  `--data=${folder}`,
  "--embedder=hash",
  "--port=0",
]);
const app = await createApp(config, silentLogger);
const Written = z.looseObject({ id: z.string() });
const tenant_id = "default";
const post = (path: string, body: object) => app.call("POST", `/api/v1${path}`, { tenant_id, ...body });
try {
  const subject = Written.parse(
    await post("/entities/upsert", { entity_type: "technology", canonical_name: "Postgres", aliases: ["PostgreSQL"] }),
  );
  const other = Written.parse(
    await post("/entities/upsert", { entity_type: "organization", canonical_name: "Harbour Office" }),
  );
  await post("/relations/upsert", { from_entity_id: other.id, relation_type: "runs on", to_entity_id: subject.id });
  await post("/memories", { content: "The harbour office opens at seven in the morning.", agent_id: "anna" });
  for (const object_value of ["14", "16"])
    await post("/memories", {
      content: `The staging database runs Postgres ${object_value}.`,
      subject_entity_id: subject.id,
      predicate: "version",
      object_value,
    });
  for (const content of [
    "anna: When does the night ferry leave?",
    "ben: The night ferry leaves from pier four at ten.",
  ])
    await post("/memories", { content, run_id: "talk", metadata: { source: "radio" } });
  const gone = Written.parse(await post("/memories", { content: "This one was deleted." }));
  await app.call("DELETE", `/api/v1/memories/${gone.id}?tenant_id=${tenant_id}`);
  await post("/documents", {
    collection: "runbooks",
    doc_id: "ferry",
    data: { summary: "How the night ferry is loaded." },
  });
  await post("/keystones", {
    doc_id: "ask",
    title: "Ask first",
    content: "Ask before you delete.",
    scope: "tenant",
    weight: 50,
  });
  await app.runner.drain();
  await post("/admin/backups", { destination: file });
  for (let state = "running"; state === "running"; ) {
    await Bun.sleep(20);
    const { run } = z
      .object({ run: z.object({ state: z.string(), error: z.string().nullable() }) })
      .parse(await app.call("GET", "/api/v1/admin/backups"));
    ({ state } = run);
    if (run.error) throw new Error(run.error);
  }
  console.log(file);
} finally {
  await app.stop();
  rmSync(folder, { recursive: true });
}
