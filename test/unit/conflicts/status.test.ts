import { describe, expect, test } from "bun:test";
import { conflictPolicy } from "../../../src/conflicts/status.ts";
import type { FoundStatus } from "../../../src/core/ports/finding.ts";
import type { KnownFinding, StatementFacts } from "../../../src/core/ports/storage-policies.ts";
import { POSSIBLE } from "../../../src/core/schema/observing/possible-change.ts";

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

describe("a pair is decided", () => {
  const known = (status: FoundStatus, fields: Partial<KnownFinding> = {}): KnownFinding => ({
    ...{ newer_hash: "newer", older_hash: "older", status, undone: false },
    ...fields,
  });
  const turned = { newer_hash: "older", older_hash: "newer" };

  test.each<[string, FoundStatus, readonly KnownFinding[], boolean]>([
    ["not where nothing is known of it", "outdated", [], false],
    ["where a sure finding stands", "outdated", [known("conflicted")], true],
    [
      "where a sure finding stands, of texts that were others",
      "outdated",
      [known("outdated", { newer_hash: "a" })],
      true,
    ],
    ["where a sure finding stands: none that is possible takes its place", POSSIBLE, [known("conflicted")], true],
    ["where a possible finding stands, for another one", POSSIBLE, [known(POSSIBLE)], true],
    ["but not for a sure one, which says more", "outdated", [known(POSSIBLE)], false],
    ["nor for one that sees a conflict", "conflicted", [known(POSSIBLE)], false],
    ["where one was undone for these texts", "outdated", [known("outdated", { undone: true })], true],
    [
      "where one was undone for them the other way round",
      "outdated",
      [known("outdated", { ...turned, undone: true })],
      true,
    ],
    ["where a possible one was undone, for a sure one too", "conflicted", [known(POSSIBLE, { undone: true })], true],
    ["where a sure one was undone, for a possible one too", POSSIBLE, [known("outdated", { undone: true })], true],
    [
      "not where one was undone for other texts",
      POSSIBLE,
      [known("outdated", { undone: true, older_hash: "a" })],
      false,
    ],
    ["by any of those known", "outdated", [known(POSSIBLE), known("outdated")], true],
  ])("%s", (_, status, findings, expected) => {
    expect(conflictPolicy.isDecided({ newer_hash: "newer", older_hash: "older", status }, findings)).toBe(expected);
  });
});

test("a possible finding is accepted, and made possible again, by what the detector had found", () => {
  const found = { status: POSSIBLE, detected_status: null, review: null } as const;
  const accepted = conflictPolicy.decideReview(found, "accept");
  expect(accepted).toEqual({ status: "outdated", detected_status: POSSIBLE, review: "accepted" });
  expect(conflictPolicy.decideReview(accepted, "accept")).toEqual(accepted);
  expect(conflictPolicy.decideReview(accepted, "reopen")).toEqual(found);
});
