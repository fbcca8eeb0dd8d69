import { describe, expect, test } from "bun:test";
import { explained, sayDiagnostic } from "../../../src/cli/commands/memory/explain.ts";
import { event, linked } from "../../../src/cli/commands/memory/history.ts";
import { columnsOf } from "../../../src/cli/commands/memory/rows.ts";
import { createOutput } from "../../../src/cli/output.ts";
import { tableLines } from "../../../src/cli/table.ts";
import type { ContradictionsReply } from "../../../src/core/schema/contradiction.ts";

const NOW = Date.parse("2026-06-15T12:00:00Z");
const outputs = ["terminal", "pipe"].map((place) =>
  createOutput({ isJson: false, isTerminal: place === "terminal", hasColour: false, width: 80, now: () => NOW }),
);
const [terminal, pipe] = outputs;
if (!terminal || !pipe) throw new Error("two places");

const row = {
  id: "01890a5d-ac96-774b-bcce-b302099a8057",
  content: "We deploy on\nTuesdays.\u001b[2J",
  created_at: "2026-06-14T12:00:00Z",
  fleet_id: "website",
  agent_id: "cli",
  memory_type: "decision",
  status: "active",
  score: 0.913,
  score_parts: { vec_sim: 0.5, fts_score: 1, entity_boost: 0, status_penalty: -0.25 },
  why: "close in meaning (+1.8)",
} as const;

test("a row explains itself: its facts, its reasons, and a bar for each part that counts", () => {
  expect(explained(terminal, row, 1).split("\n")).toEqual([
    "1. We deploy on Tuesdays.\ufffd[2J",
    "   0.91  yesterday  decision  active  website  01890a5d-ac96-774b-bcce-b302099a8057",
    "   close in meaning (+1.8)",
    `   vec_sim           0.50 ${"▇".repeat(10)}`,
    `   fts_score         1.00 ${"▇".repeat(20)}`,
    `   status_penalty   -0.25 ${"▇".repeat(5)}`,
  ]);
});

test("a search tells what led it, what it left out and where the time went", () => {
  const shared = { retrieval_strategy: "hybrid", candidates_considered: 9, search_params: {} };
  expect(
    sayDiagnostic({
      ...shared,
      excluded_below_min_score: 2,
      excluded_by_top_k_trim: 4,
      search_params: { took_ms: { keyword: 1.26, vector: 0.5 } },
    }),
  ).toBe(
    "Strategy hybrid; 9 weighed, left out 4 beyond --top, 2 below --min-score. Took keyword 1.3 ms, vector 0.5 ms.",
  );
  expect(sayDiagnostic({ ...shared, excluded_below_min_score: 0 })).toBe("Strategy hybrid; 9 weighed.");
});

test("a table has short ids and no status that says nothing; a pipe has all of both", () => {
  const [, shown = ""] = tableLines([row], columnsOf(terminal, { scored: true }), 100);
  expect(shown).toBe("01890a5d-ac96   0.91  yesterday  decision          website  We deploy on Tuesdays.\ufffd[2J");
  const cells = columnsOf(pipe).map(({ value }) => value(row));
  expect(cells.slice(0, 4)).toEqual([row.id, row.created_at, "decision", "active"]);
});

describe("a history", () => {
  const entry = {
    id: 1,
    tenant_id: "t",
    at: "2026-06-14T12:00:00Z",
    agent_id: null,
    auth_source: "standalone",
    action: "memory.update",
    target_id: row.id,
    before: { weight: 0.5, content_hash: "a", status: "active" },
    after: { weight: 0.8, content_hash: "b", status: "active", fields: ["content", "weight"] },
    reason: "set by\nthe caller",
  };

  test("says of each change what it was and what it became", () => {
    expect(event(terminal, entry)).toBe(
      "  yesterday        memory.update by standalone: text rewritten; weight 0.5 to 0.8; set by the caller",
    );
    expect(event(pipe, { ...entry, agent_id: "anna", before: null, reason: null, after: { status: "active" } })).toBe(
      "  2026-06-14T12:00:00Z memory.update by anna",
    );
  });

  test("names what replaced a memory by hand, and what the detector judged once", () => {
    const other = { id: row.id, content_preview: "Older.", status: "outdated", created_at: row.created_at } as const;
    const reply: Omit<ContradictionsReply, "contradictions"> = {
      memory_id: "m",
      status: "active",
      superseded_by: other,
      superseded_memories: [],
      possible_conflicts: [],
      detection_status: "completed",
      checked_at: null,
    };
    expect(linked({ ...reply, contradictions: [] })).toEqual([`  replaced: Older.\n    ${row.id}, outdated, by hand`]);
    const judged = {
      memory_id: row.id,
      status: "outdated",
      reason: "rdf_conflict",
      content_preview: "Older.",
      direction: "supersedes",
      created_at: row.created_at,
      rule: "number",
      confidence: 0.9,
      why: null,
      spans: { own: { start: 0, end: 1, text: "a" }, other: { start: 0, end: 1, text: "b" } },
    } as const;
    expect(linked({ ...reply, contradictions: [judged] })).toEqual([
      `  replaced: Older.\n    ${row.id}, outdated, number`,
    ]);
  });
});
