import { expect, test } from "bun:test";
import { engram } from "../../../../src/formats/foreign/engram.ts";
import { readAll, sourceOf } from "../../../support/memory-source.ts";
import { ENGRAM } from "./samples.ts";

test("observations with their titles, summaries of sessions and prompts, in the order of time", async () => {
  const { memories, faults } = await readAll(engram, sourceOf({ "engram-export.json": ENGRAM }));
  expect(faults).toEqual([]);
  expect(memories).toMatchObject([
    { content: "Make the start page load faster", memory_type: "episode", run_id: "s-1", metadata: { role: "user" } },
    {
      content: "Chose Zustand over Redux: Less code for the same state.",
      title: "Chose Zustand over Redux",
      memory_type: "decision",
      created_at: "2026-03-01T09:30:00.000Z",
      tags: ["decision", "shop"],
    },
    {
      content: "Fixed N+1 query in UserList: **What**: one query for all users\n**Why**: 4 s on the start page",
      metadata: { imported_from: { format: "engram", id: "obs-b", topic_key: "perf/users", revision_count: 2 } },
    },
    { content: "Replaced the cart's storage and tested it.", created_at: "2026-03-01T11:00:00.000Z" },
  ]);
});

const seen = (sync_id: string, content: string, updated_at: string) => ({
  id: 1,
  sync_id,
  session_id: "s",
  type: "manual",
  title: "Port",
  content,
  scope: "project",
  created_at: "2026-03-01 09:00:00",
  updated_at,
});
const chunk = (...observations: unknown[]) => ({ sessions: null, observations, prompts: null });

test("of an observation in several chunks the newest counts, whatever their names; a deleted one is left out", async () => {
  const source = sourceOf({
    "chunks/a.jsonl": JSON.stringify(chunk(seen("x", "The server listens on 8080", "2026-03-03 09:00:00"))),
    "chunks/b.jsonl": JSON.stringify(
      chunk(
        seen("x", "The server listens on 7000", "2026-03-01 09:00:00"),
        seen("y", "Nobody needs to know", "2026-03-01 09:00:00"),
      ),
    ),
    "chunks/c.jsonl": JSON.stringify({
      ...chunk(),
      mutations: [{ entity: "observation", entity_key: "y", op: "delete", payload: "{}" }],
    }),
    "manifest.json": JSON.stringify({ version: 1, chunks: [{ id: "a", sessions: 0 }] }),
  });
  const { memories, faults } = await readAll(engram, source);
  expect(faults).toEqual([]);
  expect(memories.map(({ content }) => content)).toEqual(["Port: The server listens on 8080"]);
});

test("a broken entry is a fault that says where", async () => {
  const broken = {
    version: "1",
    sessions: [7],
    observations: [{ id: 1 }, { content: "It has no id at all" }, seen("z", "", "2026-03-01 09:00:00")],
    prompts: [],
  };
  const { memories, faults } = await readAll(engram, sourceOf({ "e.json": JSON.stringify(broken) }));
  expect(memories).toEqual([]);
  expect(faults).toEqual([
    expect.stringMatching(/^e\.json:1: sessions: .*expected object/),
    expect.stringMatching(/^e\.json:1: observations: content: /),
    "e.json:2: observations: It has neither id nor sync_id.",
    "e.json:3: observations: It has no text.",
  ]);
});
