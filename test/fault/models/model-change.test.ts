import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashEmbedder } from "../../../src/ai/models/hash-embedder.ts";
import { createApp } from "../../../src/app.ts";
import { configOf } from "../../../src/config/load.ts";
import { silentLogger } from "../../../src/core/kernel/log.ts";
import { SearchReply } from "../../../src/core/schema/retrieval.ts";

const CONTENT = "The payment service retries a failed charge three times.";
const TENANT = { tenant_id: "default" };

/** A server on the folder whose model has this name; vectors of two names are never compared. */
function open(data: string, id: string) {
  const config = configOf({ data, cache: tmpdir(), port: 0, embedder: "hash" });
  return createApp(config, silentLogger, { embedder: { ...hashEmbedder(), id } });
}

test("after a change of model, rows and documents are found by keyword at once and by meaning once embedded anew", async () => {
  const data = mkdtempSync(join(tmpdir(), "cairn-model-"));
  const first = await open(data, "model-a");
  await first.call("POST", "/api/v1/memories", { ...TENANT, content: CONTENT });
  await first.call("POST", "/api/v1/documents", {
    ...TENANT,
    collection: "notes",
    doc_id: "charges",
    data: { summary: CONTENT },
  });
  await first.stop();

  const second = await open(data, "model-b");
  const search = async () => {
    const reply = await second.call("POST", "/api/v1/search", { ...TENANT, query: "failed charge" });
    return SearchReply.parse(reply).items[0];
  };
  expect(await search()).toMatchObject({ content: CONTENT, similarity: null });
  second.listen();
  for (let i = 0; i < 100 && (await search())?.similarity === null; i++) await Bun.sleep(50);
  expect((await search())?.similarity).toBeGreaterThan(0.3);
  await second.runner.drain();
  expect(await second.services.storage.jobs.addReembedding("model-b", 0)).toBe(0);
  await second.stop();
  rmSync(data, { recursive: true });
});
