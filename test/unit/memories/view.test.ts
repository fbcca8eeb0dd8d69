import { describe, expect, test } from "bun:test";
import { Memory, MemoryDetail } from "../../../src/core/schema/memory.ts";
import { toMemoryDetail, toMemoryView } from "../../../src/memories/view.ts";
import { aRow } from "../../support/builders.ts";

const embedded = aRow({ embedded_by: "a-model", metadata: { mine: 1 }, system_metadata: { ignored_fields: ["x"] } });

const NOTHING = { vector: null, entities: [] };

describe("a row as it is shown", () => {
  test("is a Memory, and by id a MemoryDetail, with nothing beside", () => {
    expect<unknown>(Memory.parse(toMemoryView(embedded))).toEqual(toMemoryView(embedded));
    const detail = toMemoryDetail(embedded, { vector: new Float32Array([0.5, -0.5]), entities: [] });
    expect<unknown>(MemoryDetail.parse(detail)).toEqual(detail);
  });

  test("never shows what only storage knows", () => {
    for (const shown of [toMemoryView(embedded), toMemoryDetail(embedded, NOTHING)]) {
      expect(shown).not.toHaveProperty("embedded_by");
      expect(shown).not.toHaveProperty("client_request_id");
    }
    expect(toMemoryView(embedded)).not.toHaveProperty("content_hash");
  });

  test("says that it waits for its vector, beside what else its metadata say", () => {
    const pending = toMemoryView({ ...embedded, embedded_by: null });
    expect(pending.metadata).toEqual({ mine: 1, embedding_pending: true });
    expect(pending.system_metadata).toEqual({ ignored_fields: ["x"], embedding_pending: true });
    expect(toMemoryView(aRow()).metadata).toEqual({ embedding_pending: true });
    expect(toMemoryView(embedded).metadata).toEqual({ mine: 1 });
  });
});

describe("a vector as it is shown", () => {
  test("is its first twenty numbers and what all of them are like", () => {
    const vector = Float32Array.from({ length: 30 }, (_, i) => (i < 10 ? 0 : (i - 15) / 16));
    const { embedding_preview, embedding_stats } = toMemoryDetail(embedded, { vector, entities: [] });
    expect(embedding_preview).toEqual(Array.from(vector.slice(0, 20)));
    expect(embedding_stats).toEqual({ dimensions: 30, min: -0.3125, max: 0.875, mean: 0.1875, non_zero: 19 });
  });

  test("is null twice while there is none", () => {
    expect(toMemoryDetail(embedded, NOTHING)).toMatchObject({ embedding_preview: null, embedding_stats: null });
  });
});
