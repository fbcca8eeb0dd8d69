import { afterAll, describe, expect, test } from "bun:test";
import { Memory } from "../../../src/core/schema/memory.ts";
import { MEMORIES, memoriesApi } from "../../support/api/memories.ts";
import { isBinary, startApp } from "../../support/app.ts";
import { aMemory, aStatement, TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

/** Every field of a Memory that the interface names. */
const MEMORY_FIELDS =
  `id tenant_id fleet_id agent_id agent_display_name memory_type title content weight source_uri run_id
  metadata system_metadata created_at expires_at entity_links similarity score score_parts injected subject_entity_id
  predicate object_value ts_valid_start ts_valid_end status visibility recall_count last_recalled_at supersedes_id version
  superseded_by may_have_changed confidence is_inferred scope usage`.split(/\s+/);

describe("a stored memory", () => {
  test("is answered with 201 and every field, those without a value as null", async () => {
    const { status, body } = await client.call("POST", MEMORIES, { body: aMemory() });
    expect(status).toBe(201);
    expect(Object.keys(Object(body)).sort()).toEqual([...MEMORY_FIELDS].sort());
    expect(body).toMatchObject({
      tenant_id: TENANT,
      fleet_id: null,
      source_uri: null,
      run_id: null,
      expires_at: null,
      entity_links: [],
      similarity: null,
      score: null,
      score_parts: null,
      injected: false,
      subject_entity_id: null,
      status: "active",
      visibility: "scope_team",
      recall_count: 0,
      last_recalled_at: null,
      supersedes_id: null,
      version: expect.stringMatching(/^[0-9a-f]{12}$/),
      superseded_by: null,
      may_have_changed: null,
      is_inferred: false,
    });
  });

  test("keeps every field the caller sets", async () => {
    const entity_id = crypto.randomUUID();
    const fields = {
      content: "The nightly backup of the billing database runs at two.",
      agent_id: "ada",
      fleet_id: "blue",
      memory_type: "decision",
      weight: 0.75,
      source_uri: "https://example.org/notes/7",
      run_id: "run-7",
      metadata: { team: "billing", nested: { list: [1, null, "x"] } },
      entity_links: [{ entity_id, role: "subject" }],
      expires_at: "2090-01-02T03:04:05.678Z",
      subject_entity_id: entity_id,
      predicate: "runs_at",
      object_value: "02:00",
      ts_valid_start: "2025-01-01T00:00:00.000Z",
      ts_valid_end: "2080-01-01T00:00:00.000Z",
      status: "confirmed",
      visibility: "scope_org",
    };
    const memory = await api.write(fields);
    expect(memory).toMatchObject(fields);
    const { items } = await api.list({ run_id: "run-7" });
    expect(items).toEqual([memory]);
  });

  test("takes null for every optional field as if it were left out", async () => {
    const optional = `agent_id fleet_id visibility memory_type weight source_uri run_id metadata tags entity_links
      expires_at subject_entity_id predicate object_value ts_valid_start ts_valid_end reference_datetime status`;
    const nulls = Object.fromEntries(optional.split(/\s+/).map((name) => [name, null]));
    const memory = await api.write(nulls);
    expect(memory).toMatchObject({ visibility: "scope_team", status: "active", metadata: null, entity_links: [] });
    expect(memory.system_metadata).not.toHaveProperty("ignored_fields");
  });

  test("is trimmed, and counts its length after that", async () => {
    const memory = await api.write({ content: `  \n${"trim me!!!"}\t ` });
    expect(memory.content).toBe("trim me!!!");
    expect((await api.write({ content: ` ${"long ".repeat(1_999)}12345 ` })).content).toHaveLength(10_000);
  });

  test("shows instants in UTC, whatever offset they came with", async () => {
    const memory = await api.write({ expires_at: "2090-06-01", ts_valid_start: "2025-05-01T10:00:00+02:00" });
    expect(memory.expires_at).toBe("2090-06-01T00:00:00.000Z");
    expect(memory.ts_valid_start).toBe("2025-05-01T08:00:00.000Z");
  });

  test("keeps text in any script as it is", async () => {
    const content = `Zürich, 北京, мир, 🎉 and "quotes" \\ 'single' %_ -- ${aStatement()}`;
    const { id } = await api.write({ content, metadata: { "ключ.with dots": "значение" } });
    expect(await api.get(id)).toMatchObject({ content, metadata: { "ключ.with dots": "значение" } });
  });

  test.each(["semantic", "intention", "commitment", "cancellation"])(
    "of the deprecated type %s is stored as a fact",
    async (memory_type) => {
      expect((await api.write({ memory_type })).memory_type).toBe("fact");
    },
  );

  test.each(["fact", "episode", "decision", "preference", "task", "plan", "action"])(
    "may be of type %s",
    async (memory_type) => {
      expect((await api.write({ memory_type })).memory_type as string).toBe(memory_type);
    },
  );
});

describe("fields the interface does not know", () => {
  test("never fail a write and are named in system_metadata", async () => {
    const memory = await api.write({ colour: "red", importance: { level: 3 } });
    expect(memory.system_metadata).toMatchObject({ ignored_fields: ["colour", "importance"] });
    expect(memory.metadata).toBeNull();
  });

  test("leave nothing behind when there are none", async () => {
    expect((await api.write()).system_metadata).not.toHaveProperty("ignored_fields");
  });

  test("tags are folded into the metadata", async () => {
    const memory = await api.write({ tags: ["a", "b"], metadata: { team: "core" } });
    expect(memory.metadata).toEqual({ tags: ["a", "b"], team: "core" });
    expect(memory.system_metadata).not.toHaveProperty("ignored_fields");
  });

  test("tags in the caller's own metadata stay as they are", async () => {
    expect((await api.write({ tags: ["a"], metadata: { tags: ["own"] } })).metadata).toEqual({ tags: ["own"] });
  });

  test("marks that only Cairn sets are dropped from the caller's metadata", async () => {
    const memory = await api.write({ metadata: { embedding_pending: true, enrichment_pending: true, mine: 1 } });
    expect(memory.metadata).toEqual({ mine: 1 });
  });
});

describe("usage", () => {
  test("is three integers that follow the writes", async () => {
    const { usage: before } = await api.write();
    const { usage } = await api.write();
    expect(usage?.memories_stored).toBe((before?.memories_stored ?? 0) + 1);
    expect(usage?.memories_limit).toBe(1_000_000);
    expect((usage?.memories_stored ?? 0) + (usage?.writes_remaining ?? 0)).toBe(1_000_000);
  });

  test("a full tenant refuses, keeps what it has, and takes more after a delete", async () => {
    const small = await startApp({ flags: ["--memories-limit=2"] });
    try {
      const full = memoriesApi(small.client);
      const { id } = await full.write();
      expect((await full.write()).usage).toEqual({ memories_stored: 2, memories_limit: 2, writes_remaining: 0 });
      const { status, body } = await small.client.refused("POST", MEMORIES, { body: aMemory() });
      expect([status, body.error.code]).toEqual([403, "PLAN_LIMIT_READ_ONLY"]);
      expect(await full.count()).toBe(2);
      const { results, errors } = await full.bulk([{ content: aStatement() }]);
      expect([errors, results[0]?.status]).toEqual([1, "error"]);
      await full.remove(id);
      expect((await full.write()).usage?.writes_remaining).toBe(0);
      const { created, errors: refused } = await full.bulk([{ content: aStatement() }]);
      expect([created, refused]).toEqual([0, 1]);
    } finally {
      await small.stop();
    }
  });
});

describe("an exact duplicate", () => {
  test("is refused with 409, the id of the stored memory and the reason", async () => {
    const content = aStatement("duplicates");
    const { id } = await api.write({ content, agent_id: "ada" });
    const before = await api.count();
    const again = await client.refused("POST", MEMORIES, {
      body: aMemory({ content: ` ${content}\n`, agent_id: "ada", weight: 1, metadata: { other: true } }),
    });
    expect(again.status).toBe(409);
    expect(again.body.error).toMatchObject({
      code: "DUPLICATE_MEMORY",
      details: { existing_id: id, reason: "exact_content_hash" },
    });
    expect(await api.count()).toBe(before);
  });

  test.each([
    ["of another author", { agent_id: "bob" }],
    ["of another fleet", { fleet_id: "green" }],
    ["for other readers", { visibility: "scope_org" }],
  ])("is none when it is %s", async (_, other) => {
    const content = aStatement("almost duplicates");
    await api.write({ content, agent_id: "ada" });
    expect((await api.write({ content, agent_id: "ada", ...other })).content).toBe(content);
  });

  test("is none once the first one was deleted", async () => {
    const content = aStatement("second lives");
    const { id } = await api.write({ content });
    await api.remove(id);
    expect((await api.write({ content })).id).not.toBe(id);
  });

  test("one of twenty written at once is stored, the others are refused with its id", async () => {
    const body = aMemory({ content: aStatement("races") });
    const replies = await Promise.all(Array.from({ length: 20 }, () => client.call("POST", MEMORIES, { body })));
    const stored = replies.filter(({ status }) => status === 201).map((reply) => Memory.parse(reply.body).id);
    expect(stored).toHaveLength(1);
    const refused = replies.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(19);
    for (const { body } of refused) expect(body).toMatchObject({ error: { details: { existing_id: stored[0] } } });
  });
});

test.skipIf(isBinary)("the moment of creation is that of the clock", async () => {
  const clock = fakeClock("2031-07-08T09:10:11.120Z");
  const timed = await startApp({ clock });
  try {
    expect((await memoriesApi(timed.client).write()).created_at).toBe("2031-07-08T09:10:11.120Z");
    clock.advance(880);
    expect((await memoriesApi(timed.client).write()).created_at).toBe("2031-07-08T09:10:12.000Z");
  } finally {
    await timed.stop();
  }
});

test("who writes without naming an agent writes as the default agent, alone and in bulk", async () => {
  expect((await api.write()).agent_id).toBe("default-agent");
  const { results } = await api.bulk([{ content: aStatement() }]);
  expect((await api.get(results[0]?.id ?? "")).agent_id).toBe("default-agent");
});
