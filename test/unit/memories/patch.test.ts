import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { contentHash } from "../../../src/core/kernel/hash.ts";
import { decideChange } from "../../../src/memories/patch.ts";
import { aRow } from "../../support/builders.ts";

const LIVE = ["active", "confirmed", "pending", "cancelled", "archived"] as const;
const CONTENT = "A text that nobody wrote before.";
const MERGE = { mode: "merge", now: Date.parse("2026-03-18T12:00:00Z") } as const;

describe("a change of content", () => {
  const row = aRow({
    fleet_id: "blue",
    status: "outdated",
    supersedes_id: crypto.randomUUID(),
    embedded_by: "test-space",
  });

  test("takes hash, vector and link with it, and asks for a new vector", () => {
    const { patch, vectors, jobs, action } = decideChange(row, { content: CONTENT }, MERGE);
    expect(patch).toEqual({
      content: CONTENT,
      content_hash: contentHash(row.tenant_id, "blue", CONTENT),
      embedded_by: null,
      supersedes_id: null,
      status: "active",
      title: "A text that nobody wrote before",
      system_metadata: { contains_pii: false, inferred: ["title"] },
    });
    expect(vectors).toBeNull();
    const payload = { tenant_id: row.tenant_id, memory_ids: [row.id] };
    expect(jobs).toEqual([
      { kind: "embed_memories", payload },
      { kind: "understand_memories", payload },
    ]);
    expect(action).toBe("memory.update");
  });

  test("leaves the status that the patch names, and every status but the overtaken ones", () => {
    expect(decideChange(row, { content: CONTENT, status: "conflicted" }, MERGE).patch.status).toBe("conflicted");
    for (const status of LIVE) {
      expect(decideChange(aRow({ status }), { content: CONTENT }, MERGE).patch).not.toHaveProperty("status");
    }
  });

  test("to the same text is none", () => {
    const change = decideChange(row, { content: row.content, weight: 1 }, MERGE);
    expect(change).toEqual({ patch: { weight: 1 }, action: "memory.update" });
  });
});

test("only what was sent is in the patch, null included", () => {
  const { patch } = decideChange(aRow(), { title: null, predicate: undefined, weight: 0 }, MERGE);
  expect(patch).toEqual({ title: null, weight: 0 });
});

test("links are added once; known entities keep theirs", () => {
  const [known, fresh] = [crypto.randomUUID(), crypto.randomUUID()];
  const row = aRow({ entity_links: [{ entity_id: known, role: "subject" }] });
  const links = [known, fresh].map((entity_id) => ({ entity_id, role: "object" }));
  expect(decideChange(row, { entity_links: links }, MERGE).patch.entity_links).toEqual([
    { entity_id: known, role: "subject" },
    { entity_id: fresh, role: "object" },
  ]);
});

describe("metadata", () => {
  const record = fc.dictionary(
    fc.constantFrom("a", "b", "c", "d"),
    fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
  );
  const applied = (
    metadata: Parameters<typeof aRow>[0],
    sent: Record<string, string | number | null>,
    mode: "merge" | "replace" = "merge",
  ) => decideChange(aRow(metadata), { metadata: sent }, { ...MERGE, mode }).patch.metadata;

  test("merged twice are merged once, and patches of distinct keys may come in any order", () => {
    fc.assert(
      fc.property(record, record, (before, sent) => {
        const once = applied({ metadata: before }, sent) ?? null;
        expect(once).toEqual({ ...before, ...sent });
        expect(applied({ metadata: once }, sent)).toEqual(once);
        expect(applied({ metadata: before }, sent, "replace")).toEqual(sent);
      }),
    );
  });

  test("never hold what only Cairn sets", () => {
    const sent = { embedding_pending: 1, enrichment_pending: 1, _system: 1, kept: 1 };
    for (const mode of ["merge", "replace"] as const) expect(applied({}, sent, mode)).toEqual({ kept: 1 });
  });
});
