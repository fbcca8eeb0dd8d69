import { afterAll, expect, test } from "bun:test";
import { ENGLISH_JUDGE, JUDGE_MODEL } from "../../../src/ai/open.ts";
import { Status } from "../../../src/core/schema/system.ts";
import { aVersion, contradictionsApi, DEMOTED } from "../../support/api/contradictions.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

const app = await startApp({ embedder: "onnx" });
afterAll(() => app.stop());
const api = { ...memoriesApi(app.client), ...contradictionsApi(app.client) };

const WITHIN_MS = 30_000;
const PAUSE_MS = 50;

/** Waits until the detector has looked at a memory: a job in hand is not due, and not done either. */
async function checked(id: string): Promise<void> {
  for (let waited = 0; waited < WITHIN_MS; waited += PAUSE_MS) {
    await app.settle();
    if ((await api.contradictions(id)).checked_at !== null) return;
    await Bun.sleep(PAUSE_MS);
  }
  expect.unreachable("The detector did not look at the memory.");
}

test(
  "with the real models a clash is found among rows that are near to it and none of them, and the judge was asked",
  async () => {
    const bystanders = [
      await api.write("The staging database is backed up every night at two."),
      await api.write("The production database lives in another region than the staging one."),
      await api.write("Nadia prefers green tea in the afternoon."),
    ];
    const older = await api.write(aVersion(14));
    await checked(older.id);
    const newer = await api.write(aVersion(16));
    await checked(newer.id);
    expect(DEMOTED).toContain((await api.get(older.id)).status);
    expect((await api.contradictions(newer.id)).superseded_by?.id).toBe(older.id);
    for (const { id } of bystanders) expect((await api.get(id)).status).toBe("active");
    const { judge } = await app.client.ok(Status, "GET", "/api/v1/status");
    expect(judge).toEqual({
      provider: "local",
      model: `${JUDGE_MODEL}+${ENGLISH_JUDGE}`,
      configured: true,
      phase: "ready",
    });
  },
  2 * WITHIN_MS,
);
