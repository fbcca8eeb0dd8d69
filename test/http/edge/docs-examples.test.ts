import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { createApp } from "../../../src/app.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { silentLogger } from "../../../src/core/kernel/log.ts";
import { SearchReply } from "../../../src/core/schema/retrieval.ts";
import type { OperationObject, ParameterObject } from "../../../src/http/openapi/document.ts";
import { openApiDocument } from "../../../src/http/openapi/document.ts";
import { EXAMPLES } from "../../../src/http/openapi/examples.ts";
import { withOwnTenant } from "../../../src/http/own-tenant.ts";
import { operations } from "../../../src/http/routes/all.ts";
import { contentsOf } from "../../support/api/memories.ts";
import { startApp } from "../../support/app.ts";
import { TENANT } from "../../support/builders.ts";
import { isPostgres } from "../../support/postgres/engine.ts";

const app = await startApp();
afterAll(() => app.stop());
const config = await loadConfig({ XDG_CONFIG_HOME: "/nonexistent" }, ["--ephemeral", "--embedder=hash"]);
const pages = await createApp(config, silentLogger);
afterAll(() => pages.stop());
const document = openApiDocument(operations);

/** Operations as the docs page lists them: by tag, then by path. */
const listed = Object.entries(document.paths)
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, found]) => ({ path, method, found })))
  .sort((a, b) => tagOf(a.found) - tagOf(b.found));
function tagOf({ tags }: OperationObject): number {
  return document.tags.findIndex(({ name }) => name === tags[0]);
}

/** What the page's script hands to Swagger UI, run here as a browser runs it. */
const Options = z.object({
  requestInterceptor: z.function({ input: [z.unknown()], output: z.object({ url: z.string(), body: z.unknown() }) }),
  responseInterceptor: z.function({ input: [z.unknown()], output: z.unknown() }),
});

async function openPage() {
  const script = await Bun.file("src/http/openapi/docs-script.js").text();
  const response = await pages.handle(new Request("http://localhost/api/docs"));
  const window = { SwaggerUIBundle: (options: unknown): unknown => options };
  new Function("window", "document", script)(window, { querySelector: metaOf(await response.text()) });
  return Options.parse(window.SwaggerUIBundle({}));
}

/** Finds the meta elements of a page as its script asks for them. */
function metaOf(page: string) {
  const found = new Map<string, { content: string }>();
  new HTMLRewriter()
    .on("meta[name]", {
      element: (meta) => {
        const content = (meta.getAttribute("content") ?? "").replaceAll("&quot;", '"');
        found.set(`meta[name="${meta.getAttribute("name")}"]`, { content });
      },
    })
    .transform(page);
  return (selector: string) => found.get(selector) ?? null;
}

const bodiesOf = ({ requestBody }: OperationObject): unknown[] => {
  const { example, examples } = requestBody?.content["application/json"] ?? {};
  return examples ? Object.values(examples).map(({ value }) => value) : [example];
};

/** Where an example is sent: its address without the query, and that. */
function addressOf(path: string, parameters: readonly ParameterObject[]) {
  const at = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(parameters.find((one) => one.name === name)?.example)),
  );
  const asked = parameters.filter((one) => one.in === "query" && one.example !== undefined);
  return { at, query: Object.fromEntries(asked.map(({ name, example }) => [name, String(example)])) };
}

describe.each(operations.map((one) => [one.id, one] as const))("the example of %s", (id, one) => {
  const example = EXAMPLES[id] ?? {};

  test("is one of its own where it takes anything that must be said", () => {
    const required = document.paths[one.path]?.[one.method.toLowerCase()]?.requestBody?.required === true;
    if (one.params || required) expect(EXAMPLES[id]).toBeDefined();
  });

  test("fits its schemas, and names nothing that is not there", () => {
    for (const body of example.bodies ? Object.values(example.bodies) : [example.body]) expectFit(one.body, body);
    for (const [schema, values] of [[one.params, example.params] as const, [one.query, example.query] as const]) {
      expectFit(schema, values);
      const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
      expect(known).toEqual(expect.arrayContaining(Object.keys(values ?? {})));
    }
  });
});

function expectFit(schema: z.ZodType | undefined, value: unknown): void {
  if (value === undefined) return;
  expect(schema?.safeParse(withOwnTenant(schema, value, TENANT)).error?.issues).toBeUndefined();
}

test("there is no example of what no operation is", () => {
  expect(Object.keys(EXAMPLES).filter((id) => !operations.some((one) => one.id === id))).toEqual([]);
});

test("the first write and search are those of the readme", async () => {
  const readme = await Bun.file("README.md").text();
  for (const id of ["writeMemory", "searchMemories"]) {
    const { content, query } = z
      .object({ content: z.string().optional(), query: z.string().optional() })
      .parse(EXAMPLES[id]?.body);
    expect(readme).toContain(content ?? query ?? "an example");
  }
});

/** What no example can do on a fresh instance. */
const REFUSED: Readonly<Record<string, number>> = {
  reviewConflict: 404,
  acceptKeystoneProposal: 409,
  deliverSkill: 409,
  submitInterview: 403,
  beginBackup: 409,
  changeModel: 409,
  ...(isPostgres ? { takeSnapshot: 409, restoreSnapshot: 409 } : {}),
};

test("all of them succeed when executed from top to bottom on a fresh instance, as the page sends them", async () => {
  const page = await openPage();
  const statuses: Record<string, number[]> = {};
  for (const { path, method, found } of listed) {
    for (const example of bodiesOf(found)) {
      const body = example === undefined ? undefined : JSON.stringify(example);
      const { at, query } = addressOf(path, found.parameters ?? []);
      const request = page.requestInterceptor({ url: at, method, body });
      const raw = typeof request.body === "string" ? request.body : undefined;
      const reply = await app.client.call(method.toUpperCase(), request.url, { query, raw });
      page.responseInterceptor({ url: request.url, status: reply.status, body: reply.body });
      statuses[found.operationId] = [...(statuses[found.operationId] ?? []), reply.status];
      if (found.operationId === "searchMemories")
        expect(contentsOf(SearchReply.parse(reply.body))).toContain("Deploys go out every Thursday after the standup.");
    }
    await app.settle();
  }
  const failed = Object.entries(statuses).filter(([id, got]) =>
    got.some((status) => status >= 400 && status !== REFUSED[id]),
  );
  expect(failed).toEqual([]);
  expect(Object.keys(statuses)).toHaveLength(operations.length);
});

test("an id that nobody was given yet is sent as it stands, and is then clearly not found", async () => {
  const { getMemory } = EXAMPLES;
  const reply = await app.client.refused("GET", `/api/v1/memories/${getMemory?.params?.memory_id}`);
  expect([reply.status, reply.body.error.code]).toEqual([404, "NOT_FOUND"]);
});
