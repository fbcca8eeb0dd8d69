import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { LlmLimits } from "../../src/ai/llm/openai.ts";
import { openAiLlm } from "../../src/ai/llm/openai.ts";
import { AppError } from "../../src/core/kernel/errors.ts";
import { describeCause } from "../../src/core/kernel/log.ts";
import type { Llm, LlmRequest } from "../../src/core/ports/llm.ts";
import type { Line } from "../support/scripted-llm.ts";
import {
  deadAddress,
  floods,
  hangs,
  held,
  says,
  saysJson,
  scriptedLlm,
  sends,
  stalls,
  status,
} from "../support/scripted-llm.ts";

setDefaultTimeout(20_000);
const server = scriptedLlm();
afterAll(() => server.stop());
beforeEach(() => server.script(says("All is well.")));

const KEY = "sk-quokka-0123456789";
const QUICK: Partial<LlmLimits> = {
  request_ms: 2_000,
  total_ms: 5_000,
  backoff_ms: 1,
  wait_max_ms: 500,
  failures_max: 99,
};
const open = (limits: Partial<LlmLimits> = {}, base_url = server.url): Llm =>
  openAiLlm({ base_url, model: "some-model", api_key: KEY, limits: { ...QUICK, ...limits } });

const QUESTION: LlmRequest = { system: "Be brief.", prompt: "How is it?", max_tokens: 50, temperature: 0.3 };
const ask = (llm: Llm, request: LlmRequest = QUESTION): Promise<string> =>
  llm.complete(request, { signal: new AbortController().signal });

async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    (answer) => new Error(`Answered: ${answer}`),
    (cause: unknown) => cause,
  );
  if (error instanceof AppError) return error;
  throw error;
}

describe("a request", () => {
  test("is a chat of system and user with the model, its bounds and the key", async () => {
    expect(await ask(open())).toBe("All is well.");
    const [heard] = server.heard;
    expect(heard).toMatchObject({ method: "POST", path: "/v1/chat/completions" });
    expect(heard?.headers.get("authorization")).toBe(`Bearer ${KEY}`);
    expect(heard?.headers.get("content-type")).toBe("application/json");
    expect(heard?.body).toEqual({
      model: "some-model",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "How is it?" },
      ],
      stream: false,
      max_tokens: 50,
      temperature: 0.3,
    });
  });

  test("has no key and no system text when there is none", async () => {
    await ask(openAiLlm({ base_url: server.url, model: "m" }), { prompt: "Hi.", max_tokens: 5, temperature: 0 });
    expect(server.heard[0]?.headers.has("authorization")).toBe(false);
    expect(server.heard[0]?.body.messages).toEqual([{ role: "user", content: "Hi." }]);
  });

  test("asks for one JSON object when the caller does", async () => {
    await ask(open(), { ...QUESTION, json: true });
    expect(server.heard[0]?.body).toMatchObject({ response_format: { type: "json_object" } });
  });

  test.each([
    ["", "/v1/chat/completions"],
    ["/", "/v1/chat/completions"],
    ["/v1", "/v1/chat/completions"],
    ["/v1/", "/v1/chat/completions"],
    ["/openai", "/openai/v1/chat/completions"],
    ["/api/v4", "/api/v4/chat/completions"],
    ["/v1beta/openai/", "/v1beta/openai/chat/completions"],
  ])("to the base '%s' goes to %s", async (base, path) => {
    await ask(open({}, `${server.url}${base}`));
    expect(server.heard[0]?.path).toBe(path);
  });
});

describe("a server that declines an option", () => {
  const declinesUnless =
    (understands: (body: object) => boolean): Line =>
    (heard) =>
      (understands(heard.body) ? saysJson({ ok: true }) : status(400))(heard);

  test("such as JSON mode is asked without it, then and ever after", async () => {
    const llm = open();
    server.script(declinesUnless((body) => !("response_format" in body)));
    expect(await ask(llm, { ...QUESTION, json: true })).toBe('{"ok":true}');
    expect(await ask(llm, { ...QUESTION, json: true })).toBe('{"ok":true}');
    expect(server.heard.map(({ body }) => "response_format" in body)).toEqual([true, false, false]);
  });

  test("such as max_tokens is asked with max_completion_tokens and no temperature", async () => {
    const llm = open();
    server.script(declinesUnless((body) => !("max_tokens" in body || "temperature" in body)));
    await ask(llm);
    await ask(llm);
    expect(server.heard.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
      [50, undefined],
      [undefined, 50],
      [undefined, 50],
    ]);
  });

  test("whatever is asked is given up after each way once", async () => {
    server.script(status(400));
    const error = await failureOf(ask(open(), { ...QUESTION, json: true }));
    expect(error).toMatchObject({ code: "UNAVAILABLE", details: { reason: "declined", status: 400 } });
    expect(server.heard).toHaveLength(3);
  });
});

describe("no answer, but a reason, and not asked again, when the server sends", () => {
  test.each([
    ["what is not JSON", sends("{"), "unreadable"],
    ["an HTML page", sends("<!doctype html><title>Hello</title>", "text/html"), "unreadable"],
    ["no choices", sends('{"choices":[]}'), "unreadable"],
    ["choices without a message", sends('{"choices":[{}]}'), "unreadable"],
    ["another shape", sends('{"choices":[{"message":{"content":7}}]}'), "unreadable"],
    ["nothing at all", sends(""), "unreadable"],
    ["a message without text", says(null), "empty"],
    ["a message of spaces", says(" \n "), "empty"],
    ["more than an answer may hold", floods, "too_large"],
    ["a redirect", status(302, { Location: "/v1/chat/completions" }), "redirected"],
    ["a permanent redirect", status(308, { Location: "/v1/chat/completions" }), "redirected"],
    ["401", status(401), "key_refused"],
    ["403", status(403), "key_refused"],
    ["404", status(404), "not_there"],
    ["402", status(402), "refused"],
    ["204", status(204), "refused"],
  ] as const)("%s", async (_, line, reason) => {
    server.script(line);
    const error = await failureOf(ask(open()));
    expect(error).toMatchObject({ code: "UNAVAILABLE", details: { reason } });
    expect(server.heard).toHaveLength(1);
  });

  test("and a refused key names the setting, never the key", async () => {
    server.script(status(401));
    const error = await failureOf(ask(open()));
    expect(error.message).toContain("CAIRN_LLM_API_KEY");
    expect(`${error.message} ${JSON.stringify(error.details)} ${describeCause(error)} ${error.stack}`).not.toContain(
      KEY,
    );
  });
});

describe("what passes is asked again:", () => {
  test.each([
    ["500 twice", [status(500), status(503)]],
    ["429 that asks for no wait", [status(429), status(429)]],
    ["429 that asks to wait until a moment ago", [status(429, { "Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT" })]],
    ["408", [status(408)]],
  ])("%s", async (_, lines) => {
    server.script(...lines, says("At last."));
    expect(await ask(open())).toBe("At last.");
    expect(server.heard).toHaveLength(lines.length + 1);
  });

  test("twice at most", async () => {
    server.script(status(500));
    const error = await failureOf(ask(open()));
    expect(error.details).toEqual({ reason: "failing", status: 500 });
    expect(server.heard).toHaveLength(3);
  });

  test("after the pause that Retry-After asks for", async () => {
    const at: number[] = [];
    server.script(
      (heard) => {
        at.push(performance.now());
        return status(429, { "Retry-After": "1" })(heard);
      },
      (heard) => {
        at.push(performance.now());
        return says("Thanks.")(heard);
      },
    );
    expect(await ask(open({ wait_max_ms: 1_500 }))).toBe("Thanks.");
    const [first = 0, second = 0] = at;
    expect(second - first).toBeGreaterThanOrEqual(990);
  });

  test("but not when Retry-After asks for longer than anyone waits; then not for a while", async () => {
    let now = 0;
    const limits = { ...QUICK, pause_ms: 30_000 };
    const llm = openAiLlm({ base_url: server.url, model: "m", limits, elapsed: () => now });
    server.script(status(429, { "Retry-After": "20" }), says("Welcome back."));
    expect((await failureOf(ask(llm))).details).toEqual({ reason: "rate_limited", status: 429 });
    expect((await failureOf(ask(llm))).details).toEqual({ reason: "paused" });
    now += 20_000;
    expect(await ask(llm)).toBe("Welcome back.");
    expect(server.heard).toHaveLength(2);
  });

  test("a server that cannot be reached", async () => {
    const error = await failureOf(ask(open({}, await deadAddress())));
    expect(error.details).toEqual({ reason: "unreachable" });
    expect(error.message).toContain("CAIRN_LLM_BASE_URL");
  });
});

describe("time", () => {
  test.each([
    ["never answers", hangs],
    ["never ends its answer", stalls],
  ])("of a server that %s is bounded", async (_, line) => {
    server.script(line);
    expect((await failureOf(ask(open({ request_ms: 50 })))).details).toEqual({ reason: "timeout" });
    expect(server.heard).toHaveLength(1);
  });

  test("of all repetitions together is bounded too", async () => {
    server.script(status(500));
    const error = await failureOf(ask(open({ total_ms: 60, backoff_ms: 400 })));
    expect(error.details).toEqual({ reason: "timeout" });
    expect(server.heard).toHaveLength(1);
  });

  test("of the caller counts: an aborted question rejects with the signal's reason, before or while it is asked", async () => {
    const early = AbortSignal.abort(new Error("too late"));
    expect(await open().complete(QUESTION, { signal: early }).catch(String)).toBe("Error: too late");
    expect(server.heard).toHaveLength(0);
    const caller = new AbortController();
    server.script((heard) => {
      caller.abort(new Error("never mind"));
      return hangs(heard);
    });
    expect(await open().complete(QUESTION, { signal: caller.signal }).catch(String)).toBe("Error: never mind");
    server.script(status(500));
    const pausing = open({ backoff_ms: 450 }).complete(QUESTION, { signal: AbortSignal.timeout(60) });
    expect(await pausing.catch((error: DOMException) => error.name)).toBe("TimeoutError");
  });
});

describe("the model is spared:", () => {
  test("no more requests at once than it may have, the next is refused, not queued", async () => {
    const gate = held(says("Done."));
    server.script(gate.line);
    const llm = open({ calls_max: 2 });
    const first = [ask(llm), ask(llm)];
    const error = await failureOf(ask(llm));
    expect(error).toMatchObject({ code: "UNAVAILABLE", details: { reason: "busy" } });
    gate.open();
    expect(await Promise.all(first)).toEqual(["Done.", "Done."]);
    expect(await ask(llm)).toBe("Done.");
    expect(server.heard).toHaveLength(3);
  });

  test("after failures in a row it is left alone for a while, and again after the next one", async () => {
    let now = 0;
    const limits = { ...QUICK, retries: 0, failures_max: 2, pause_ms: 1_000 };
    const llm = openAiLlm({ base_url: server.url, model: "m", limits, elapsed: () => now });
    const reasons = async (times: number): Promise<unknown[]> => {
      const found: unknown[] = [];
      for (let i = 0; i < times; i++) found.push((await failureOf(ask(llm))).details?.reason);
      return found;
    };
    server.script(status(500));
    expect(await reasons(3)).toEqual(["failing", "failing", "paused"]);
    now += 1_000;
    expect(await reasons(2)).toEqual(["failing", "paused"]);
    expect(server.heard).toHaveLength(3);
    now += 1_000;
    server.script(says("Well again."), status(500));
    expect(await ask(llm)).toBe("Well again.");
    expect(await reasons(3)).toEqual(["failing", "failing", "paused"]);
  });

  test("a question of its own fault, or given up by its caller, does not count", async () => {
    const llm = open({ failures_max: 1 });
    server.script(status(400));
    await failureOf(ask(llm));
    server.script(hangs);
    const caller = new AbortController();
    const given = llm.complete(QUESTION, { signal: caller.signal }).catch(() => null);
    caller.abort();
    await given;
    server.script(says("Fine."));
    expect(await ask(llm)).toBe("Fine.");
  });

  test("a caller who waited in vain counts", async () => {
    const llm = open({ failures_max: 1 });
    server.script(hangs);
    await llm.complete(QUESTION, { signal: AbortSignal.timeout(50) }).catch(() => null);
    expect((await failureOf(ask(llm))).details).toEqual({ reason: "paused" });
  });
});

test("closing ends what is under way and refuses the rest", async () => {
  const llm = open();
  server.script((heard) => {
    llm.close();
    return hangs(heard);
  });
  expect((await failureOf(ask(llm))).details).toEqual({ reason: "stopped" });
  expect((await failureOf(ask(llm))).details).toEqual({ reason: "stopped" });
  expect(server.heard).toHaveLength(1);
});
