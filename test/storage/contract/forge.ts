import { describe, expect, test } from "bun:test";
import { DAY_MS, toTimestamp } from "../../../src/core/kernel/clock.ts";
import type { PageEdge } from "../../../src/core/kernel/cursor.ts";
import { newId } from "../../../src/core/kernel/ids.ts";
import type { ForgeReport, ForgeRequest, TraceQuery, TraceRow } from "../../../src/core/ports/forge-store.ts";
import { ACTOR, anEntry, aRow, aVector, SPACE, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";

const HOUR_MS = 3_600_000;
const HANG_GUARD_MS = 180_000;

export function describeForge(subject: Subject): void {
  const forge = () => subject.storage.forge;
  const request = (fields: Partial<ForgeRequest> = {}) =>
    forge().request({
      id: newId(subject.clock),
      tenant_id: TENANT,
      fleet_id: null,
      trigger: "fanout",
      actor: ACTOR,
      quiet_ms: HOUR_MS,
      ...fields,
    });
  const report = (fields: Partial<ForgeReport> = {}): ForgeReport => ({
    traces: 3,
    successes: 2,
    failures: 1,
    unknown: 0,
    clusters: [],
    written: 0,
    skipped: 0,
    error: null,
    ...fields,
  });
  const newest = async (tenant_id = TENANT) => {
    const [run] = await forge().runs(tenant_id, 1);
    return run ?? expect.unreachable("There is no run.");
  };
  const finishNewest = async () => forge().finish(TENANT, (await newest()).id, report());
  const jobs = async () => {
    const found: string[] = [];
    for (let i = 0; i < 10; i++) {
      const leased = await subject.storage.jobs.claim(subject.clock.now(), 1_000);
      if (!leased) break;
      found.push(leased.job.kind);
    }
    return found;
  };

  describe("runs of the Forge", () => {
    test("are queued with their job and their audit row", async () => {
      const requested = await request();
      expect(requested.outcome).toBe("queued");
      expect(await jobs()).toEqual(["forge_tick"]);
      const [entry] = await subject.storage.audit.list({ tenant_id: TENANT, limit: 1 });
      expect(entry).toMatchObject({ id: requested.audit_id, action: "forge.request", agent_id: ACTOR.agent_id });
      expect(await newest()).toMatchObject({ trigger: "fanout", started_at: null, finished_at: null, clusters: [] });
    });

    test("are not asked for twice within the quiet time, nor while one waits", async () => {
      const first = await request();
      subject.clock.advance(2 * HOUR_MS);
      expect(await request({ quiet_ms: 0 })).toEqual({ outcome: "quiet", audit_id: first.audit_id });
      await finishNewest();
      expect((await request({ quiet_ms: 0 })).outcome).toBe("queued");
      await finishNewest();
      expect((await request()).outcome).toBe("quiet");
      subject.clock.advance(HOUR_MS);
      expect((await request()).outcome).toBe("queued");
    });

    test("of another tenant or fleet are no reason to wait", async () => {
      await request();
      expect((await request({ tenant_id: "acme" })).outcome).toBe("queued");
      expect((await request({ fleet_id: "west" })).outcome).toBe("queued");
      expect((await request({ fleet_id: "west" })).outcome).toBe("quiet");
    });

    test("that lie ahead of a clock since put back, or never end, keep no other away", async () => {
      await request();
      subject.clock.advance(-365 * DAY_MS);
      expect((await request()).outcome).toBe("queued");
      subject.clock.advance(DAY_MS);
      expect((await request()).outcome).toBe("queued");
    });

    test("start once in time, keep why an attempt failed, and end for good", async () => {
      await request();
      const { id } = await newest();
      const started = await forge().start(TENANT, id);
      await forge().fail(TENANT, id, `The model is gone. ${"x".repeat(1_000)}`);
      subject.clock.advance(HOUR_MS);
      expect(await forge().start(TENANT, id)).toMatchObject({ started_at: started?.started_at });
      expect((await newest()).error).toHaveLength(500);
      await forge().finish(TENANT, id, report({ written: 1 }));
      expect(await newest()).toMatchObject({
        traces: 3,
        written: 1,
        error: null,
        finished_at: toTimestamp(subject.clock.now()),
      });
      expect(await forge().start(TENANT, id)).toBeNull();
      await forge().finish(TENANT, id, report({ written: 9 }));
      await forge().fail(TENANT, id, "late");
      expect(await newest()).toMatchObject({ written: 1, error: null });
      expect(await forge().start("acme", id)).toBeNull();
    });

    test(
      "are remembered up to a bound, newest first, each tenant its own",
      async () => {
        await request({ tenant_id: "acme" });
        for (let i = 0; i < 203; i++) {
          await request({ quiet_ms: 0 });
          await finishNewest();
        }
        const runs = await forge().runs(TENANT, 1_000);
        expect(runs).toHaveLength(200);
        expect(runs.map(({ id }) => id)).toEqual(
          runs
            .map(({ id }) => id)
            .toSorted()
            .toReversed(),
        );
        expect(await forge().runs("acme", 10)).toHaveLength(1);
      },
      HANG_GUARD_MS,
    );

    test("are for tenants that switched the factory on", async () => {
      const put = (tenant_id: string, enabled: boolean) =>
        subject.storage.settings.change(tenant_id, ACTOR, () => ({ skills_factory: { enabled } }));
      await put("zoo", true);
      await put("acme", true);
      await put("off", false);
      await subject.storage.settings.change("other", ACTOR, () => ({}));
      expect(await forge().optedIn()).toEqual(["acme", "zoo"]);
    });
  });

  describe("rows of runs", () => {
    const query = (fields: Partial<TraceQuery> = {}): TraceQuery => ({
      tenant_id: TENANT,
      fleet_id: null,
      since: "2000-01-01T00:00:00.000Z",
      unexpired_at: toTimestamp(subject.clock.now()),
      embedder_id: SPACE.id,
      before: null,
      scan: 100,
      content_max: 1_000,
      ...fields,
    });
    const walk = async (fields: Partial<TraceQuery> = {}): Promise<TraceRow[]> => {
      const found: TraceRow[] = [];
      let before: PageEdge | null = null;
      for (let page = 0; page < 50; page++) {
        const { rows, next } = await forge().traceRows(query({ ...fields, before }));
        found.push(...rows);
        if (!next) return found;
        before = next;
      }
      return expect.unreachable("The walk does not end.");
    };
    const inRun = (fields: Parameters<typeof aRow>[0] = {}) => aRow({ run_id: "r1", ...fields });

    test("come newest first with their vectors, page by page, each once", async () => {
      const rows = Array.from({ length: 7 }, () => inRun());
      await subject.seed(...rows.map((row, i) => anEntry(row, i % 2 === 0 ? aVector(i) : undefined)));
      for (const scan of [1, 2, 3, 7, 100]) {
        const found = await walk({ scan });
        expect(found.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toReversed());
        expect(found.map(({ vector }) => vector !== null).toReversed()).toEqual(rows.map((_, i) => i % 2 === 0));
      }
      expect((await walk({ embedder_id: "another" })).every(({ vector }) => vector === null)).toBe(true);
      expect((await walk({ content_max: 4 })).every(({ content }) => content.length === 4)).toBe(true);
    });

    test("leave out what is private, deleted, expired, older, of no run, or of another tenant or fleet", async () => {
      const kept = inRun({ visibility: "scope_org" });
      const outdated = inRun({ status: "outdated", visibility: "scope_org" });
      const west = inRun({ fleet_id: "west" });
      const deleted = inRun();
      await subject.seed(
        ...[
          kept,
          outdated,
          west,
          deleted,
          inRun({ visibility: "scope_agent" }),
          inRun({ expires_at: "2020-01-01T00:00:00.000Z" }),
          inRun({ created_at: "1999-01-01T00:00:00.000Z" }),
          aRow(),
          inRun({ tenant_id: "acme" }),
        ].map((row) => anEntry(row)),
      );
      await subject.storage.memories.remove({ tenant_id: TENANT, ids: [deleted.id] }, ACTOR, 1);
      const ids = async (fields: Partial<TraceQuery> = {}) => (await walk(fields)).map(({ id }) => id).toReversed();
      expect(await ids()).toEqual([kept.id, outdated.id, west.id]);
      expect(await ids({ fleet_id: "west" })).toEqual([west.id]);
      expect(await ids({ tenant_id: "acme" })).toHaveLength(1);
    });

    test("name the entities that their author linked", async () => {
      const entity_id = newId(subject.clock);
      await subject.seed(anEntry(inRun({ entity_links: [{ entity_id, role: "subject" }] })));
      expect((await walk()).map(({ entity_ids }) => entity_ids)).toEqual([[entity_id]]);
    });
  });

  describe("recurring jobs", () => {
    test("have one row of their kind, whoever ensures it, and come again when they are told to", async () => {
      const { jobs: store } = subject.storage;
      const job = { kind: "forge_schedule", payload: {} } as const;
      const now = subject.clock.now();
      await store.ensure([job], now);
      await store.ensure([job], now);
      const leased = await store.claim(now, 1_000);
      expect(await store.claim(now, 1_000)).toBeNull();
      await store.again(leased?.id ?? 0, now + HOUR_MS);
      await store.ensure([job], now);
      expect(await store.claim(now, 1_000)).toBeNull();
      expect(await store.nextDue()).toBe(now + HOUR_MS);
      expect((await store.claim(now + HOUR_MS, 1_000))?.attempt).toBe(1);
    });
  });
}
