import { describe, expect, test } from "bun:test";
import type { JobLane } from "../../../src/core/ports/job-store.ts";
import type { Job, RereadPlace } from "../../../src/core/schema/job.ts";
import { ACTOR, anEntry, aRow, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";
import { aChange } from "./documents.ts";

const LEASE_MS = 1_000;
const aJob = (name: string): Job => ({ kind: "embed_memories", payload: { tenant_id: TENANT, memory_ids: [name] } });

export function describeJobs(subject: Subject): void {
  describe("jobs", () => {
    const { now } = { now: () => subject.clock.now() };
    const claim = (index = now(), ...lanes: JobLane[]) =>
      subject.storage.jobs.claim(index, LEASE_MS, lanes.length === 0 ? undefined : lanes);
    const nameOf = async (at?: number): Promise<string | null> => {
      const leased = await claim(at);
      return leased?.job.kind === "embed_memories" ? (leased.job.payload.memory_ids[0] ?? null) : null;
    };

    test("are claimed one at a time, the one that waited longest first", async () => {
      const { jobs } = subject.storage;
      await jobs.add([aJob("later")], now() + 5);
      await jobs.add([aJob("first"), aJob("second")], now());
      expect(await nameOf()).toBe("first");
      expect(await nameOf()).toBe("second");
      expect(await nameOf()).toBeNull();
      expect(await nameOf(now() + 5)).toBe("later");
    });

    test("that embed go before those that read what rows say: searches wait for them", async () => {
      const understand: Job = { kind: "understand_memories", payload: { tenant_id: TENANT, memory_ids: ["said"] } };
      await subject.storage.jobs.add([understand], now() - 5);
      await subject.storage.jobs.add([aJob("embedded")], now());
      expect(await nameOf()).toBe("embedded");
      expect((await claim())?.job).toEqual(understand);
    });

    const rereading = (tenant_id: string, below: RereadPlace = { table: "documents", number: null }): Job => {
      return {
        kind: "reread_rows",
        payload: { tenant_id, embedder_id: "new", since: new Date(now()).toISOString(), below },
      };
    };
    const reread = async () =>
      (await claim(now(), "reembedding")) ?? expect.unreachable("No tenant is to be read anew.");

    test("that read anew are one a tenant with memories or documents of another model, however often they are asked for", async () => {
      const { jobs, documents } = subject.storage;
      const ofTenant = (tenant_id: string, embedded_by: string | null) => anEntry(aRow({ tenant_id, embedded_by }));
      await subject.seed(ofTenant("second", "old"), ofTenant("second", "z-older"), ofTenant("first", "z-older"));
      await subject.seed(ofTenant("read", "new"), ofTenant("waits", null));
      const searchable = { summary: "A heron", text: "A heron" };
      const put = (tenant_id: string, embedded_by: string) =>
        documents.upsert({ tenant_id, collection: "books", doc_id: "one" }, ACTOR, () =>
          aChange({ a: 1 }, { searchable, embedded_by }),
        );
      await put("of documents", "old");
      await put("read", "new");
      expect(await jobs.addReembedding("new", now())).toBe(3);
      const asked = ["first", "of documents", "second"].map((tenant_id) => rereading(tenant_id));
      expect(await jobs.addReembedding("new", now())).toBe(0);
      const first = await reread();
      expect(first.job).toEqual(asked[0] ?? expect.unreachable());
      // Neither one in hand nor one that failed is made twice.
      await jobs.retry((await reread()).id, now() + LEASE_MS, "The model is away.");
      subject.clock.advance(1);
      expect(await jobs.addReembedding("new", now())).toBe(0);
      expect((await reread()).job).toEqual(asked[2] ?? expect.unreachable());
      await jobs.finish(first.id);
      expect(await jobs.addReembedding("new", now())).toBe(1);
      expect((await reread()).job).toEqual(rereading("first"));
    });

    test("that read anew are not asked for again where every row left was refused and has a job of its own", async () => {
      const { jobs } = subject.storage;
      const [refused, other] = [aRow({ embedded_by: "old" }), aRow({ embedded_by: "old" })];
      await subject.seed(anEntry(refused));
      await jobs.add([aJob(refused.id), aJob("elsewhere")], now());
      // A job that was not tried yet may be gone before it reads its row.
      expect(await jobs.addReembedding("new", now())).toBe(1);
      await jobs.finish((await reread()).id);
      const failed = (await claim()) ?? expect.unreachable();
      expect(failed.job).toEqual(aJob(refused.id));
      await jobs.retry(failed.id, now() + LEASE_MS, "It cannot be read.");
      expect(await jobs.addReembedding("new", now())).toBe(0);
      await subject.seed(anEntry(other));
      expect(await jobs.addReembedding("new", now())).toBe(1);
    });

    test("that read anew and were queued before they told of their model are known still", async () => {
      const { jobs } = subject.storage;
      const job: Job = {
        kind: "reread_rows",
        payload: { tenant_id: TENANT, since: new Date(now()).toISOString(), below: { table: "memories", number: 7 } },
      };
      await jobs.add([job], now());
      expect((await reread()).job).toEqual(job);
    });

    test("that read anew go after those that embed for the first time", async () => {
      const { jobs } = subject.storage;
      await jobs.add([rereading(TENANT)], now() - 5);
      await jobs.add([aJob("written since")], now());
      const next = async () => (await claim(now(), "embedding", "reembedding"))?.job;
      expect(await next()).toEqual(aJob("written since"));
      expect(await next()).toEqual(rereading(TENANT));
    });

    test("are replaced by others behind all that wait, each of them once", async () => {
      const { jobs } = subject.storage;
      const places = [500, 400].map((number) => rereading("first", { table: "memories", number }));
      const [before, after] = [places[0] ?? expect.unreachable(), places[1] ?? expect.unreachable()];
      await jobs.add([before, rereading("second")], now());
      const { id } = await reread();
      await jobs.add([aJob("refused")], now() + 5);
      await jobs.replace(id, [aJob("refused"), aJob("refused too"), after], now());
      expect((await reread()).job).toEqual(rereading("second"));
      const last = await reread();
      expect(last.job).toEqual(after);
      const embedded = [await nameOf(now() + 5), await nameOf(now() + 5), await nameOf(now() + 5)];
      expect(embedded).toEqual(["refused too", "refused", null]);
      // What is gone is replaced by nothing.
      await jobs.replace(id, [before], now());
      await jobs.replace(last.id, [], now());
      expect((await jobs.countByKind(now() + 2 * LEASE_MS, null)).map(({ kind, due }) => `${kind} ${due}`)).toEqual([
        "embed_memories 2",
        "reread_rows 1",
      ]);
    });

    const reading = (id: string): Job => ({
      kind: "understand_memories",
      payload: { tenant_id: TENANT, memory_ids: [id] },
    });

    test("of a lane are claimed without those of the other, however many there are to embed", async () => {
      const reviewing: Job = { kind: "review_skills", payload: { tenant_id: TENANT } };
      const embedding = Array.from({ length: 20 }, (_, i) => aJob(`${i}`));
      await subject.storage.jobs.add([...embedding, reviewing], now());
      expect((await claim(now(), "others"))?.job).toEqual(reviewing);
      expect(await claim(now(), "others")).toBeNull();
      for (const job of embedding) expect((await claim(now(), "embedding"))?.job).toEqual(job);
      expect(await claim(now(), "embedding")).toBeNull();
    });

    test("that read a few rows of one tenant are claimed as one, in their order and each row once", async () => {
      const { jobs } = subject.storage;
      const many: Job = {
        kind: "understand_memories",
        payload: { tenant_id: TENANT, memory_ids: [...Array(25).keys()].map(String) },
      };
      const elsewhere: Job = { kind: "understand_memories", payload: { tenant_id: "elsewhere", memory_ids: ["c"] } };
      await jobs.add([reading("a"), reading("b"), reading("a"), elsewhere, reading("d"), many], now());
      const first = await claim(now(), "others");
      expect(first?.job).toEqual({
        kind: "understand_memories",
        payload: { tenant_id: TENANT, memory_ids: ["a", "b"] },
      });
      expect((await claim(now(), "others"))?.job).toEqual(elsewhere);
      expect((await claim(now(), "others"))?.job).toEqual(reading("d"));
      expect((await claim(now(), "others"))?.job).toEqual(many);
      expect(await claim(now(), "others")).toBeNull();
      // What a crash leaves of it is whole.
      expect(await claim(now() + LEASE_MS, "others")).toEqual({
        id: first?.id ?? 0,
        attempt: 2,
        job: first?.job ?? many,
      });
    });

    test("that read rows wait for those that embed rows before them, while these are due or in hand", async () => {
      const { jobs } = subject.storage;
      await jobs.add([aJob("first"), reading("first"), aJob("second"), reading("second")], now());
      const read = async () => (await claim(now(), "others"))?.job ?? null;
      expect(await read()).toBeNull();
      const first = await claim(now(), "embedding");
      expect(await read()).toBeNull();
      await jobs.finish(first?.id ?? 0);
      expect(await read()).toEqual(reading("first"));
      expect(await read()).toBeNull();
      const second = await claim(now(), "embedding");
      await jobs.retry(second?.id ?? 0, now() + 60_000, "The model is away.");
      expect(await read()).toEqual(reading("second"));
    });

    test("are not claimed before they are due", async () => {
      await subject.storage.jobs.add([aJob("x")], now() + 100);
      expect(await nameOf(now() + 99)).toBeNull();
      expect(await nameOf(now() + 100)).toBe("x");
    });

    test("are held until the lease ends, then claimed again with the next attempt", async () => {
      await subject.storage.jobs.add([aJob("x")], now());
      const first = await claim();
      expect(first?.attempt).toBe(1);
      expect(await claim(now() + LEASE_MS - 1)).toBeNull();
      expect(await claim(now() + LEASE_MS)).toMatchObject({ id: first?.id, attempt: 2 });
    });

    test("are gone once finished, and finishing twice is no harm", async () => {
      const { jobs } = subject.storage;
      await jobs.add([aJob("x"), aJob("y")], now());
      const id = (await claim())?.id ?? 0;
      await jobs.finish(id);
      await jobs.finish(id);
      expect(await nameOf()).toBe("y");
      expect(await claim(now() + LEASE_MS - 1)).toBeNull();
    });

    test("that failed come back when told, and count as failing until they are done", async () => {
      const { jobs } = subject.storage;
      await jobs.add([aJob("x"), aJob("y")], now());
      const { id } = (await claim()) ?? { id: 0 };
      await jobs.retry(id, now() + 300, `why ${"long ".repeat(1_000)}`);
      expect(await jobs.tally(now(), null)).toMatchObject({ due: 1, failing: 1 });
      expect(await nameOf()).toBe("y");
      expect(await claim(now() + 299)).toBeNull();
      expect(await claim(now() + 300)).toMatchObject({ id, attempt: 2 });
      await jobs.finish(id);
      expect((await jobs.tally(now(), null)).failing).toBe(0);
    });

    test("tell when the next one is due, leases included", async () => {
      const { jobs } = subject.storage;
      expect(await jobs.nextDue()).toBeNull();
      await jobs.add([aJob("b")], now() + 700);
      await jobs.add([aJob("a")], now());
      expect(await jobs.nextDue()).toBe(now());
      await claim();
      expect(await jobs.nextDue()).toBe(now() + 700);
    });

    test("that wait beyond now are all due after a wake", async () => {
      const { jobs } = subject.storage;
      await jobs.add([aJob("leased")], now());
      await claim();
      await jobs.add([aJob("far")], now() + 1_000_000);
      await jobs.wake(now());
      expect(await jobs.tally(now(), null)).toMatchObject({ due: 2 });
      expect([await nameOf(), await nameOf()].sort()).toEqual(["far", "leased"]);
    });

    test("of one moment are never claimed twice, however many ask", async () => {
      const names = Array.from({ length: 20 }, (_, i) => `job ${i}`);
      await subject.storage.jobs.add(names.map(aJob), now());
      const claimed = await Promise.all(Array.from({ length: 25 }, () => nameOf()));
      expect(claimed.filter((name) => name !== null).sort()).toEqual([...names].sort());
    });
  });
}
