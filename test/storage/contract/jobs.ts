import { describe, expect, test } from "bun:test";
import type { JobLane } from "../../../src/core/ports/job-store.ts";
import type { Job } from "../../../src/core/schema/job.ts";
import { aBatch, anEntry, aRow, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";

const LEASE_MS = 1_000;
const aJob = (name: string): Job => ({ kind: "embed_memories", payload: { tenant_id: TENANT, memory_ids: [name] } });

export function describeJobs(subject: Subject): void {
  describe("jobs", () => {
    const { now } = { now: () => subject.clock.now() };
    const claim = (index = now(), lane?: JobLane) => subject.storage.jobs.claim(index, LEASE_MS, lane);
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

    test("for a new model are added for rows that no waiting job names, also while others are in hand", async () => {
      const { jobs, memories } = subject.storage;
      const rows = [aRow({ embedded_by: "old" }), aRow({ embedded_by: "old" })];
      await memories.insert(aBatch(rows.map((row) => anEntry(row))));
      const [inHand, waiting] = rows.map(({ id }) => aJob(id));
      if (!inHand || !waiting) throw new Error("Two rows make two jobs.");
      await jobs.add([inHand], now());
      expect((await claim())?.job).toEqual(inHand);
      await jobs.add([waiting], now());
      // What is in hand may have read its row before.
      expect(await jobs.addReembedding({ embedder_id: "new", paraphraser_id: null }, now())).toBe(1);
      expect(await jobs.addReembedding({ embedder_id: "new", paraphraser_id: null }, now())).toBe(0);
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
