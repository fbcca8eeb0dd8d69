import { describe, expect, test } from "bun:test";
import { conflictPolicy } from "../../../src/conflicts/status.ts";
import type { StatementFacts } from "../../../src/core/ports/storage-policies.ts";

describe("two versions of a row are the same statement", () => {
  const FACTS: StatementFacts = {
    content_hash: "a",
    visibility: "scope_team",
    memory_type: "fact",
    ts_valid_start: "2026-05-04T00:00:00.000Z",
    ts_valid_end: null,
    subject_entity_id: null,
    predicate: null,
    object_value: null,
    system_metadata: { inferred: ["title", "ts_valid_start"] },
  };

  test.each([
    ["when all facts are", {}, true],
    ["when a title is told that was inferred", { system_metadata: { inferred: ["ts_valid_start"] } }, true],
    ["but not with another text", { content_hash: "b" }, false],
    ["nor when a time is told that was inferred, which decides what came first", { system_metadata: {} }, false],
  ])("%s", (_, changed, expected) => {
    expect(conflictPolicy.isSameStatement(FACTS, { ...FACTS, ...changed })).toBe(expected);
  });
});
