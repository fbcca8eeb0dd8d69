import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { idsOf, memoriesApi, RECALL } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";

const app = await startApp();
afterAll(() => app.stop());
const { client } = app;
const api = memoriesApi(client);

const TEXTS = [
  "The deploy of the payment service moved to Tuesday. Anna asked for it because of the audit. Lunch was late.",
  "The payment service uses the ledger of the bank. Its deploy needs two approvals.",
  "The canteen closes at two. Bring your own cup.",
  "The payment audit ends in May, after the deploy. The auditors come from Oslo.",
];
const ids: string[] = [];

beforeAll(async () => {
  for (const [i, content] of TEXTS.entries()) {
    const dated = i === 0 ? { ts_valid_start: "2024-05-06T10:00:00Z" } : {};
    ids.push((await api.write({ content, agent_id: "ada", ...dated })).id);
  }
});

const QUESTION = "When is the deploy of the payment service?";
/** A line of a summary: `[day] sentence (id of its memory)`. */
const LINE = /^\[(\d{4}-\d\d-\d\d)\] (.+) \(([0-9a-f-]{36})\)$/;
const linesOf = (summary: string): RegExpMatchArray[] =>
  summary.split("\n").map((line) => line.match(LINE) ?? expect.unreachable(`Not a line of a summary: ${line}`));

describe("a recall", () => {
  test("answers every field of the interface; items repeat the memories, best first", async () => {
    const { status, body } = await client.call("POST", RECALL, { body: { tenant_id: TENANT, query: ` ${QUESTION} ` } });
    expect(status).toBe(200);
    const fields = "query summary memory_count memories items recall_ms diagnostic".split(" ");
    expect(Object.keys(Object(body))).toEqual(expect.arrayContaining(fields));
    const reply = await api.recall(QUESTION);
    expect(reply).toMatchObject({ query: QUESTION, diagnostic: null, warnings: null });
    expect(reply).toMatchObject({ recall_provider: "local", recall_model: "extractive-v1" });
    expect(reply.items).toEqual(reply.memories);
    expect(reply.memory_count).toBe(reply.memories.length);
    expect(idsOf({ items: reply.memories })).toEqual(idsOf(await api.search(QUESTION)));
  });

  test("leaves out the copy on request", async () => {
    const { status, body } = await client.call("POST", RECALL, {
      body: { tenant_id: TENANT, query: QUESTION, items_alias: false },
    });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty("items");
    expect(body).toMatchObject({ memory_count: 4, memories: expect.any(Array) });
  });

  test("obeys the filters and bounds of search", async () => {
    const { memories } = await api.recall(QUESTION, { top_k: 1, filter_agent_id: "ada" });
    expect(memories).toHaveLength(1);
    expect((await api.recall(QUESTION, { filter_agent_id: "nobody" })).memory_count).toBe(0);
  });

  test("names unknown fields, its own not among them", async () => {
    const { warnings } = await api.recall(QUESTION, { colour: 1, items_alias: true, max_tokens: 50 });
    expect(warnings).toMatchObject([{ code: "unrecognized_parameters", details: { parameters: ["colour"] } }]);
  });

  test("by an agent counts as one recall of each memory", async () => {
    await app.settle();
    const [before] = (await api.recall(QUESTION, { top_k: 1 })).memories;
    await api.recall(QUESTION, { top_k: 1, caller_agent_id: "zoe" });
    await app.settle();
    expect((await api.get(before?.id ?? "")).recall_count).toBe((before?.recall_count ?? 0) + 1);
  });
});

describe("the summary", () => {
  test("is made of sentences of the memories, each with its day and the id it came from", async () => {
    const { summary, memories } = await api.recall(QUESTION);
    const lines = linesOf(summary);
    expect(lines.length).toBeGreaterThan(1);
    for (const [, day, sentence = "", id] of lines) {
      const memory = memories.find((one) => one.id === id);
      expect(memory?.content).toContain(sentence);
      expect((memory?.ts_valid_start ?? memory?.created_at ?? "").slice(0, 10)).toBe(day ?? "");
    }
    expect(summary).toContain(`[2024-05-06] The deploy of the payment service moved to Tuesday. (${ids[0]})`);
  });

  test("says nothing twice", async () => {
    const sentences = linesOf((await api.recall(QUESTION, { max_tokens: 4_000 })).summary).map(([, , text]) => text);
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  test.each([16, 30, 60])(
    "keeps within a budget of %d tokens, dates and ids included, but for one sentence that answers",
    async (max_tokens) => {
      const { summary } = await api.recall(QUESTION, { max_tokens });
      expect(linesOf(summary).length === 1 || summary.length <= max_tokens * 4).toBe(true);
    },
  );

  test("cuts a sentence that is longer than the whole budget", async () => {
    const { id } = await api.write({ content: `The heron ${"waits by the mill pond and ".repeat(60)}flies.` });
    const { summary } = await api.recall("What does the heron do?", { max_tokens: 50 });
    expect(summary).toContain(id);
    expect(summary).toContain("…");
    expect(summary.length).toBeLessThanOrEqual(50 * 4);
  });

  test("grows with its budget", async () => {
    const [small, large] = await Promise.all([16, 1_000].map((max_tokens) => api.recall(QUESTION, { max_tokens })));
    expect(linesOf(large?.summary ?? "").length).toBeGreaterThan(linesOf(small?.summary ?? "").length);
  });

  test("of nothing found says so", async () => {
    const reply = await api.recall(QUESTION, { filter_agent_id: "nobody" });
    expect(reply).toMatchObject({ summary: "No relevant context found.", memory_count: 0, memories: [], items: [] });
  });

  test.each([15, 4_001, 1.5])("refuses a budget of %d tokens with 422", async (max_tokens) => {
    const body = { tenant_id: TENANT, query: QUESTION, max_tokens };
    const reply = await client.refused("POST", RECALL, { body });
    expect(reply).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "max_tokens"], input: max_tokens }] },
    });
  });
});

describe("a memory in another language is told by the sentence", () => {
  test.each([
    [
      "Chinese",
      "付款服务的部署改到星期二进行。食堂两点关门。大家请自带杯子和餐具过来。",
      "付款服务的部署改到哪天？",
      "付款服务的部署改到星期二进行。",
    ],
    [
      "Hindi",
      "भुगतान सेवा की तैनाती मंगलवार को होगी। कैंटीन दो बजे बंद होती है। अपना प्याला साथ लाएँ।",
      "भुगतान सेवा की तैनाती कब होगी?",
      "भुगतान सेवा की तैनाती मंगलवार को होगी।",
    ],
    [
      "Arabic",
      "هل انتقل نشر خدمة الدفع؟ نعم، انتقل نشر خدمة الدفع إلى يوم الثلاثاء. يغلق المطعم عند الثانية.",
      "متى نشر خدمة الدفع؟",
      "نعم، انتقل نشر خدمة الدفع إلى يوم الثلاثاء.",
    ],
  ])("%s", async (language, content, query, sentence) => {
    await api.write({ content, agent_id: language });
    const { summary } = await api.recall(query, { filter_agent_id: language });
    expect(linesOf(summary).map(([, , text]) => text)).toContain(sentence);
  });
});
