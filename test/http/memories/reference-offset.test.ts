import { afterAll, expect, test } from "bun:test";
import { memoriesApi } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";

const app = await startApp();
afterAll(() => app.stop());
const api = memoriesApi(app.client);

test.each([
  ["2026-03-01T23:30:00-08:00", "tomorrow", "2026-03-02"],
  ["2026-03-01T23:30:00-0800", "yesterday", "2026-02-28"],
  ["2026-03-01T00:30:00+09:00", "tomorrow", "2026-03-02"],
  ["2026-03-01T23:30:00Z", "tomorrow", "2026-03-02"],
  ["2026-03-01T23:30:00", "tomorrow", "2026-03-02"],
  ["2026-12-31T23:30:00-05:00", "tomorrow", "2027-01-01"],
  ["2026-03-01", "tomorrow", "2026-03-02"],
])("written at %s, %s is %s by the writer's day", async (reference_datetime, word, day) => {
  const content = `The release candidate ${word === "yesterday" ? "shipped" : "ships"} ${word}.`;
  const fields = {
    content,
    reference_datetime,
    memory_type: "fact",
    agent_id: `agent-${reference_datetime}`,
    persist: false,
  };
  expect((await api.write(fields)).ts_valid_start).toBe(`${day}T00:00:00.000Z`);
});

test("in a bulk as in a single write", async () => {
  const content = "The release of the candidate ships tomorrow.";
  const item = { content, memory_type: "fact", reference_datetime: "2026-03-01T23:30:00-08:00" };
  const { results } = await api.bulk([item]);
  expect((await api.get(results[0]?.id ?? "")).ts_valid_start).toBe("2026-03-02T00:00:00.000Z");
});
