import { afterAll, expect, test } from "bun:test";
import { IntegrityRunState } from "../../../src/core/schema/integrity.ts";
import { openApp } from "../../support/in-process.ts";

const { app, client } = await openApp({ requestLimitMs: 200 });
afterAll(() => app.stop());

for (const { method, path, kind } of [
  { method: "GET", path: "/api/v1/integrity", kind: "check" },
  { method: "POST", path: "/api/v1/integrity/rebuild", kind: "rebuild" },
]) {
  test(`who waits too long for a ${kind} is told so, and finds what it came to under its run`, async () => {
    // Runs follow one another: this one makes the next as late as a large store would.
    const before = Promise.withResolvers<never>();
    const slow = app.services.indexMaintenance.run({ kind: "check", tenant_id: "another", work: () => before.promise });
    const { status, body } = await client.refused(method, path);
    expect([status, body.error.code]).toEqual([504, "UPSTREAM_TIMEOUT"]);
    before.reject(new Error("It is over."));
    await slow.catch(() => undefined);
    for (let state = "running"; state === "running"; await Bun.sleep(5)) {
      const { run } = await client.ok(IntegrityRunState, "GET", "/api/v1/integrity/run");
      state = run?.state ?? "";
      if (state !== "running") expect(run).toMatchObject({ kind, state: "finished", report: { ok: true } });
    }
  });
}
