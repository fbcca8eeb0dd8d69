import { afterAll, describe, expect, test } from "bun:test";
import { DAY_MS, toTimestamp } from "../../../src/core/kernel/clock.ts";
import type { DemotedStatus } from "../../../src/core/ports/finding.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";
import type { Memory } from "../../../src/core/schema/memory.ts";
import type { WhyNotChange } from "../../../src/core/schema/observing/why-not.ts";
import { WhyNotReply } from "../../../src/core/schema/observing/why-not.ts";
import type { Client } from "../../support/api/client.ts";
import { idsOf, MEMORIES, memoriesApi, WHY_NOT } from "../../support/api/memories.ts";
import { fakeClock } from "../../support/clock.ts";
import { GATEWAY, refusalOf, viaGateway } from "../../support/credentials.ts";
import { openApp } from "../../support/in-process.ts";

const clock = fakeClock();
const opened = await openApp({ clock, flags: [GATEWAY] });
afterAll(() => opened.app.stop());
const { storage } = opened.app.services;

type Fields = Readonly<Record<string, unknown>>;
let tenants = 0;

/** A tenant with nothing in it. */
function aTenant() {
  const tenant_id = `tenant-${++tenants}`;
  const client = opened.client.as(viaGateway(tenant_id));
  const api = memoriesApi(client, tenant_id);
  const asker =
    (as: Client) =>
    (memory_id: string, query: string, fields: Fields = {}) =>
      as.ok(WhyNotReply, "POST", WHY_NOT, { body: { tenant_id, query, memory_id, ...fields } });
  const write = (content: string, fields: Fields = {}): Promise<Memory> => {
    clock.advance(1_000);
    return api.write({ content, agent_id: "ada", ...fields });
  };
  const rowOf = async (id: string): Promise<StoredMemory> =>
    (await storage.memories.get({ tenant_id, id }, { tenant_id, agent_id: "ada", fleets: "all" })) ??
    expect.unreachable("No such row.");
  /** Says that the newer of two rows took the place of the older one; the detector itself never runs here. */
  const supersede = async (older: Memory, newer: Memory, status: DemotedStatus): Promise<void> => {
    const rows = { older: await rowOf(older.id), newer: await rowOf(newer.id) };
    const spans = { older_span: { start: 0, end: 1 }, newer_span: { start: 0, end: 1 } };
    const findings = [{ ...rows, ...spans, status, rule: "told", confidence: 1, why: null }];
    const actor = { agent_id: null, auth_source: "detector" };
    await storage.contradictions.record([{ memory: rows.newer, claim: null, findings }], actor);
  };
  return { tenant_id, client, api, write, why: asker(client), asker, supersede };
}

/** Every check before the last is passed; the last is the stage, unless it stands among the returned. */
function expectChecks({ checks, stage, returned }: WhyNotReply, stages: readonly string[]): void {
  expect(checks.map((check) => check.stage) as string[]).toEqual([...stages]);
  expect(checks.map(({ passed }) => passed)).toEqual(checks.map((_, i) => returned || i < checks.length - 1));
  expect(checks.at(-1)?.stage).toBe(stage);
  for (const { detail } of checks) expect(detail).toMatch(/^[A-Z].*\.$/);
}

const ALL = ["exists", "filters", "vector", "candidates", "min_similarity", "min_score", "same_text", "successor"];
const upTo = (stage: string): string[] => ALL.slice(0, ALL.indexOf(stage) + 1);

describe("a memory that does not exist for the caller", () => {
  test("is refused in the words of a read, whatever is the matter with it", async () => {
    const { tenant_id, client, api, write } = aTenant();
    const foreign = await aTenant().write("The otters live by the harbour wall.");
    const deleted = await write("The seals live by the harbour wall.");
    await api.remove(deleted.id);
    const secret = await write("Ada's otters live in a secret place.", { visibility: "scope_agent" });
    const read = await client.refused("GET", `${MEMORIES}/${secret.id}`, { query: { tenant_id } });
    for (const memory_id of [crypto.randomUUID(), foreign.id, deleted.id, secret.id]) {
      for (const caller of [{}, { caller_agent_id: "bob" }, { agent_id: "bob" }]) {
        const body = { tenant_id, query: "otters", memory_id, ...caller };
        const refused = await client.refused("POST", WHY_NOT, { body });
        expect(refusalOf(refused)).toEqual([404, "NOT_FOUND"]);
        expect(refused.body).toEqual(read.body);
      }
    }
  });

  test("exists for its author, and for whoever may search as its author, but not for another agent's credential", async () => {
    const { tenant_id, write, asker, why } = aTenant();
    const secret = await write("Ada's otters live in a secret place.", { visibility: "scope_agent" });
    const as = (agent_id: string) => opened.client.as(viaGateway(tenant_id, agent_id));
    expect(await asker(as("ada"))(secret.id, "otters")).toMatchObject({ stage: "returned", returned: true });
    expect(await why(secret.id, "otters", { caller_agent_id: "ada" })).toMatchObject({ stage: "returned" });
    const body = { tenant_id, query: "otters", memory_id: secret.id };
    expect(refusalOf(await as("bob").refused("POST", WHY_NOT, { body }))).toEqual([404, "NOT_FOUND"]);
    const pretended = await as("bob").refused("POST", WHY_NOT, { body: { ...body, agent_id: "ada" } });
    expect(refusalOf(pretended)).toEqual([403, "AGENT_IDENTITY_MISMATCH"]);
  });
});

describe("the filters of the search", () => {
  const soon = () => toTimestamp(clock.now() + DAY_MS);
  const CASES: readonly (readonly [
    what: string,
    row: Fields,
    asked: () => Fields,
    told: readonly string[],
    change: WhyNotChange | null,
  ])[] = [
    [
      "fleet",
      { fleet_id: "web" },
      () => ({ fleet_ids: ["api", "ops"] }),
      ["fleet 'web'", "'api', 'ops'", "fleet_ids"],
      { fleet_ids: null },
    ],
    [
      "author",
      {},
      () => ({ filter_agent_id: "bob" }),
      ["'ada'", "'bob'", "filter_agent_id"],
      { filter_agent_id: null },
    ],
    [
      "type",
      { memory_type: "fact" },
      () => ({ memory_type: "rule" }),
      ["'fact'", "'rule'", "memory_type_filter"],
      { memory_type_filter: null },
    ],
    [
      "status",
      { status: "archived" },
      () => ({}),
      ["'archived'", "'active'", "status_filter 'archived'"],
      { status_filter: "archived" },
    ],
    [
      "validity",
      { ts_valid_start: "2020-01-01T00:00:00Z", ts_valid_end: "2020-12-31T00:00:00Z" },
      () => ({ valid_at: soon() }),
      ["2020-01-01", "2020-12-31", "valid_at"],
      { valid_at: null },
    ],
    [
      "reader",
      { visibility: "scope_agent" },
      () => ({ agent_id: "ada", caller_agent_id: "bob" }),
      ["private to agent 'ada'", "agent 'bob'", "caller_agent_id"],
      { caller_agent_id: "ada" },
    ],
    [
      "fleet of the reader",
      { fleet_id: "web" },
      () => ({ caller_agent_id: "eve" }),
      ["fleet 'web'", "agent 'eve'"],
      null,
    ],
  ];

  test.each(CASES)("are told by name: %s", async (_, row, asked, told, change) => {
    const { api, write, why } = aTenant();
    const { id } = await write("The otters live by the harbour wall.", row);
    const reply = await why(id, "otters", asked());
    expect(reply).toMatchObject({ stage: "filters", returned: false, rank: null, candidate: null, gap: null });
    expectChecks(reply, upTo("filters"));
    for (const part of told) expect(reply.message).toContain(part);
    // Nothing else is named: every sentence stands in the message once.
    expect(reply.message.match(/the search (?:was|ran)/g)).toHaveLength(1);
    expect(idsOf(await api.search("otters", asked()))).not.toContain(id);
    expect(reply.change).toEqual(change);
    const { memory_type: _alias, ...changed } = asked();
    if (change) expect((await why(id, "otters", { ...changed, ...change })).stage).toBe("returned");
  });

  test("are told together where several keep it out", async () => {
    const { write, why } = aTenant();
    const { id } = await write("The otters live by the harbour wall.", { fleet_id: "web", memory_type: "fact" });
    const { message } = await why(id, "otters", { fleet_ids: ["api"], memory_type: "rule", status: "active" });
    expect(message).toContain("fleet 'web'");
    expect(message).toContain("Its type is 'fact'");
    expect(message).not.toContain("status");
  });

  test("tell when it expired", async () => {
    const { write, why } = aTenant();
    const expires_at = toTimestamp(clock.now() + 60_000);
    const { id } = await write("The otters live by the harbour wall.", { expires_at });
    clock.advance(120_000);
    const reply = await why(id, "otters");
    expect(reply.stage).toBe("filters");
    expect(reply.message).toContain(`It expired at ${expires_at}`);
    expect((await why(id, "otters", { valid_at: toTimestamp(clock.now() - 90_000) })).stage).toBe("returned");
    expect((await why(id, "otters", { ...reply.change })).stage).toBe("returned");
    expect((await why(id, "otters", { valid_at: toTimestamp(clock.now()) })).change).toEqual(reply.change);
  });

  test("tell what superseded it, as far as the search sees that", async () => {
    const { write, why, supersede } = aTenant();
    const old = await write("The otters live by the harbour wall.");
    const newer = await write("The otters moved to the mill pond.");
    const secret = await write("The otters moved to a secret pond.", { visibility: "scope_agent" });
    await supersede(old, newer, "outdated");
    await supersede(old, secret, "outdated");
    const reply = await why(old.id, "otters");
    expect(reply.stage).toBe("filters");
    expect(reply.message).toContain("Its status is 'outdated'");
    expect(reply.message).toContain(`superseded by ${newer.id}.`);
    expect(reply.message).not.toContain(secret.id);
  });
});

/** More rows than the pool takes, all with the words, each its own text. */
const many = (count: number, text: string) => Array.from({ length: count }, (_, i) => ({ content: `${text} ${i}.` }));

describe("a memory that was not considered", () => {
  test("is told its similarity and the words that it lacks", async () => {
    const { api, write, why } = aTenant();
    const { id } = await write("Lunch is served at noon in the canteen.");
    for (let i = 0; i < 2; i++) await api.bulk(many(100, `Otters and herons sleep near the harbour wall ${i}`));
    await opened.settle();
    const reply = await why(id, "otters near the harbour");
    expect(reply).toMatchObject({ stage: "candidates", rank: null, candidate: null, gap: null, returned: false });
    expectChecks(reply, upTo("candidates"));
    expect(reply.message).toMatch(
      /among the \d+ that were considered: its similarity to the question is -?[\d.]+, and \d+/,
    );
    expect(reply.message).toContain("none of the words 'otters', 'near', 'harbour'");
    expect(reply.best_returned?.score).toBeGreaterThan(0);
  });

  test("and has no vector is told to wait for it", async () => {
    const { api, write, why } = aTenant();
    await write("Lunch is served at noon in the canteen.");
    const { results } = await api.bulk([{ content: "Nadia keeps bees behind the mill." }]);
    const id = results[0]?.id ?? expect.unreachable();
    const unfound = await why(id, "who served lunch?");
    expect(unfound).toMatchObject({ stage: "vector", rank: null });
    expectChecks(unfound, upTo("vector"));
    expect(unfound.message).toContain("none of the words");
    expect(unfound.warnings?.map(({ code }) => code)).toEqual(["embedding_pending"]);
    const worded = await why(id, "Nadia's bees");
    expect(worded).toMatchObject({ stage: "returned", returned: true });
    expect(worded.checks.find(({ stage }) => stage === "vector")?.detail).toContain("no vector yet");
    await opened.settle();
    expect((await why(id, "who served lunch?")).stage).toBe("returned");
  });
});

describe("a memory that was considered", () => {
  const OTTERS = "The otters live by the harbour wall.";
  const LUNCH = "Lunch is served at noon in the canteen.";

  test("is held against the floors, and passes with what it is told to lower them to", async () => {
    const { write, why } = aTenant();
    await write(OTTERS);
    const { id } = await write(LUNCH);
    const far = await why(id, "otters", { min_similarity: 0.9 });
    expect(far).toMatchObject({
      stage: "min_similarity",
      rank: 2,
      candidate: { id, excluded: "below_min_similarity" },
    });
    expectChecks(far, upTo("min_similarity"));
    const poor = await why(id, "otters", { min_score: 1 });
    expect(poor).toMatchObject({ stage: "min_score", candidate: { excluded: "below_min_score" }, best_returned: null });
    expectChecks(poor, upTo("min_score"));
    const min_score = Number(/Lower min_score to (.*)\.$/.exec(poor.message)?.[1]);
    expect(poor.change).toEqual({ min_score });
    expect((await why(id, "otters", { min_score })).stage).toBe("returned");
  });

  test("is told the similarity that it has", async () => {
    const { write, why } = aTenant();
    await write("The otters of the harbour are asleep.");
    const { id } = await write("The otterhound was seen at the mill.");
    const { message, candidate, change } = await why(id, "otters", { min_similarity: 0.95 });
    const min_similarity = Number(/Lower min_similarity to (.*)\.$/.exec(message)?.[1]);
    expect(change).toEqual({ min_similarity });
    expect(min_similarity).toBeWithin(0.0001, (candidate?.vec_sim ?? 0) + 0.0001);
    expect((await why(id, "otters", { min_similarity })).stage).toBe("returned");
  });

  test("is told the newer one of the same text", async () => {
    const { write, why } = aTenant();
    const old = await write(OTTERS, { agent_id: "ada" });
    const newer = await write(OTTERS, { agent_id: "bob" });
    const reply = await why(old.id, "otters");
    expect(reply).toMatchObject({ stage: "same_text", candidate: { same_text_as: newer.id } });
    expectChecks(reply, upTo("same_text"));
    expect(reply.message).toContain(newer.id);
    expect(reply.change).toBeNull();
    expect((await why(newer.id, "otters")).stage).toBe("returned");
  });

  test("is told what answers in its place", async () => {
    const { write, why, supersede } = aTenant();
    const old = await write("quuxa noted as number one.");
    const newer = await write("quuxa and more of it, noted as number two.");
    await supersede(old, newer, "conflicted");
    const reply = await why(old.id, "quuxa", { top_k: 3 });
    expect(reply).toMatchObject({
      stage: "successor",
      returned: false,
      candidate: { excluded: "answered_by_successor" },
    });
    expectChecks(reply, upTo("successor"));
    expect(reply.message).toContain(newer.id);
  });

  test("is told its rank and the top_k that it takes", async () => {
    const { api, write, why } = aTenant();
    const query = "otters near the wall";
    for (const animal of ["otters", "seals", "gulls", "crabs", "eels"])
      await write(`The ${animal} live near the wall.`);
    const candidates = (await api.search(query, { top_k: 2, diagnostic: true })).diagnostic?.all_candidates ?? [];
    const [first, second, ...others] = candidates;
    if (!first || !second) return expect.unreachable();
    expect(others).toHaveLength(3);
    const best_returned = { id: first.id, score: first.score };
    for (const [i, candidate] of [first, second].entries()) {
      const reply = await why(candidate.id, query, { top_k: 2 });
      expect(reply).toMatchObject({ rank: i + 1, candidate, returned: true, stage: "returned", best_returned });
      expectChecks(reply, [...ALL, "top_k", "returned"]);
      expect(reply.message).toContain(`at place ${i + 1} of 2.`);
    }
    for (const [i, candidate] of others.entries()) {
      const reply = await why(candidate.id, query, { top_k: 2 });
      expect(reply).toMatchObject({ rank: i + 3, candidate, returned: false, stage: "top_k", best_returned });
      expectChecks(reply, [...ALL, "top_k"]);
      expect(reply.gap).toBeCloseTo(second.score - candidate.score, 3);
      expect(reply.message).toContain(`Raise top_k to ${i + 3}.`);
      expect(reply.change).toEqual({ top_k: i + 3 });
      expect((await why(candidate.id, query, { top_k: i + 3 })).stage).toBe("returned");
    }
  });

  test("and is beyond every top_k is told to ask otherwise", async () => {
    const { api, write, why } = aTenant();
    const { id } = await write(LUNCH);
    await api.bulk(many(30, "Otters sleep near the harbour wall, berth"));
    const reply = await why(id, "otters near the harbour", { top_k: 20 });
    expect(reply).toMatchObject({ stage: "top_k", rank: 31 });
    expect(reply.message).toContain("top_k goes up to 20");
    expect(reply.change).toBeNull();
  });

  test("is returned in place of the superseded one, though the filter would keep it out", async () => {
    const { write, why, supersede } = aTenant();
    const old = await write("quuxb noted as number one.");
    const newer = await write("Something said of it in words that share nothing at all.");
    await supersede(old, newer, "outdated");
    const reply = await why(newer.id, "quuxb", { status_filter: "outdated" });
    expect(reply).toMatchObject({ stage: "returned", returned: true, rank: null, candidate: null });
    expect(reply.checks.map(({ stage, passed }) => [stage, passed])).toEqual([
      ["exists", true],
      ["filters", false],
      ["returned", true],
    ]);
    expect(reply.message).toContain(`stands in for the superseded memory ${old.id}`);
  });
});

test("asking why counts as no recall, and takes the refusals of a search", async () => {
  const { tenant_id, client, api, write, why } = aTenant();
  const { id } = await write("The otters live by the harbour wall.");
  await why(id, "otters", { caller_agent_id: "ada" });
  await opened.settle();
  expect((await api.get(id)).recall_count).toBe(0);
  const body = { tenant_id, query: "otters", memory_id: id };
  const refused = async (fields: Fields) =>
    refusalOf(await client.refused("POST", WHY_NOT, { body: { ...body, ...fields } }));
  expect(await refused({ query: "   " })).toEqual([400, "BAD_REQUEST"]);
  expect(await refused({ memory_id: "no id" })).toEqual([422, "INVALID_ARGUMENTS"]);
  expect(await refused({ memory_id: undefined })).toEqual([422, "INVALID_ARGUMENTS"]);
  expect(await refused({ tenant_id: "another" })).toEqual([403, "TENANT_MISMATCH"]);
  expect(await refused({ caller_agent_id: "ada", fleet_ids: ["web", "api"] })).toEqual([403, "FLEET_SCOPE_FORBIDDEN"]);
});
