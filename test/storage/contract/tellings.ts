import { describe, expect, test } from "bun:test";
import { contentHash } from "../../../src/core/kernel/hash.ts";
import type { ReadScope } from "../../../src/core/ports/memory-filter.ts";
import { ACTOR, anEntry, aRow, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";
import { ANYBODY, agentOf } from "../subject.ts";

const [MORNING, EVENING] = ["2026-03-01T08:00:00.000Z", "2026-03-01T20:00:00.000Z"];
const nobodyElses = { tenant_id: "acme", agent_id: null, fleets: "all" } as const;

export function describeTellings(subject: Subject): void {
  const record = (told: readonly string[], used: readonly string[], at = MORNING, read_scope: ReadScope = ANYBODY) =>
    subject.storage.tellings.record({ tenant_id: read_scope.tenant_id, read_scope, told, watched: used, used, at });
  const of = async (...ids: string[]) => Object.fromEntries(await subject.storage.tellings.of(TENANT, ids));

  describe("tellings", () => {
    test("are counted of the rows that a reader sees, each used once at most", async () => {
      const [one, other, never] = [aRow(), aRow(), aRow()];
      const secret = aRow({ visibility: "scope_agent", agent_id: "bo" });
      const gone = aRow();
      await subject.seed(anEntry(one), anEntry(other), anEntry(never), anEntry(secret), anEntry(gone));
      await subject.storage.memories.remove({ tenant_id: TENANT, ids: [gone.id] }, ACTOR, 1);
      const all = [one.id, other.id, one.id, secret.id, gone.id, "no-such-row"];
      expect(await record(all, [never.id])).toEqual({ told: 2, watched: 0, used: 0 });
      expect(await record([one.id], [one.id, other.id], EVENING)).toEqual({ told: 1, watched: 2, used: 2 });
      expect(await record([], [other.id])).toEqual({ told: 0, watched: 0, used: 0 });
      expect(await record([secret.id], [], MORNING, agentOf("bo"))).toEqual({ told: 1, watched: 0, used: 0 });
      expect(await of(...all, never.id)).toEqual({
        [one.id]: { told: 2, watched: 1, used: 1, last_told_at: EVENING },
        [other.id]: { told: 1, watched: 1, used: 1, last_told_at: MORNING },
        [secret.id]: { told: 1, watched: 0, used: 0, last_told_at: MORNING },
      });
      expect(await record([one.id], [one.id], MORNING, nobodyElses)).toEqual({ told: 0, watched: 0, used: 0 });
      expect((await subject.storage.tellings.of("acme", [one.id])).size).toBe(0);
    });

    test("stay with a row that changes, begin again with another text, and go with the row", async () => {
      const row = aRow();
      await subject.seed(anEntry(row));
      const filter = { tenant_id: TENANT, ids: [row.id] };
      const patch = (fields: object) =>
        subject.storage.memories.update(filter, ACTOR, () => ({ patch: fields, action: "memory.update" }));
      await record([row.id], []);
      await patch({ weight: 0.9, title: "Plant" });
      expect(await of(row.id)).toMatchObject({ [row.id]: { told: 1 } });
      const content = "It is watered on Mondays.";
      await patch({ content, content_hash: contentHash(TENANT, null, content) });
      expect(await of(row.id)).toEqual({});
      await record([row.id], []);
      await subject.storage.memories.remove(filter, ACTOR, 1);
      expect(await of(row.id)).toMatchObject({ [row.id]: { told: 1 } });
      await subject.storage.memories.erase({ ...filter, include_deleted: true }, ACTOR, 1);
      expect(await of(row.id)).toEqual({});
    });

    test("go with a tenant that is erased", async () => {
      const trial = "cairn-trial-told";
      const row = aRow({ tenant_id: trial });
      await subject.seed(anEntry(row));
      await record([row.id], [], MORNING, { ...ANYBODY, tenant_id: trial });
      expect(await subject.storage.trials.erase(trial)).toEqual({ memories: 1, left: 0 });
    });
  });
}
