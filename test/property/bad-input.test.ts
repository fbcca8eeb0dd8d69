import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import type { OperationObject } from "../../src/http/openapi.ts";
import { openApiDocument } from "../../src/http/openapi.ts";
import { resolve } from "../../src/http/openapi-schemas.ts";
import type { Operation } from "../../src/http/operation.ts";
import { operations } from "../../src/http/routes/all.ts";
import { BulkResult } from "../../src/schema/memory.ts";
import { temporaryFolder } from "../support/app.ts";
import { createClient } from "../support/client.ts";
import type { InProcess } from "../support/in-process.ts";
import { openApp } from "../support/in-process.ts";
import { fitting, fittingMembers, mangled, nastyJson, nastyText, objectText } from "./nasty.ts";

const ATTACKS_PER_OPERATION = 120;
const HANG_GUARD_MS = 60_000;
/** Rows that requests may aim at by id. */
const ROWS = 50;

/** One request as it is sent, after everything that could be wrong about it went wrong. */
interface Attack {
  readonly method: string;
  /** Path and query string, percent-encoded or meant to be. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | null;
}

const document = openApiDocument(operations);
const nouns = document.components.schemas;

const describedAs = (operation: Operation): OperationObject | undefined =>
  document.paths[operation.path]?.[operation.method.toLowerCase()];

/** A text as it may stand in a path or query: encoded as it should be, or in a way that decodes to no text. */
const encodedText = fc.oneof(
  { weight: 3, arbitrary: nastyText.map((text) => encodeURIComponent(text.toWellFormed())) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("%", "%zz", "%E0%A4%A", "%ED%A0%80", "%C0%AF", "%00", "a%2Fb", "%2e%2e", "+"),
  },
);

function targetOf(operation: Operation): fc.Arbitrary<string> {
  const parameters = describedAs(operation)?.parameters ?? [];
  const stored = fc.nat({ max: ROWS - 1 }).map((i) => `{row ${i}}`);
  const segment = fc.oneof(encodedText, stored, fc.constant("0193e7a0-0000-7000-8000-000000000000"));
  const path = fc
    .array(segment, { minLength: 3, maxLength: 3 })
    .map((segments) => operation.path.replace(/\{\w+\}/g, () => segments.pop() ?? ""));
  const pairs = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema, required }) => {
      const plausible = name === "tenant_id" ? fc.constant("default") : fitting(schema, nouns).map(unquoted);
      const value = fc.oneof(
        { weight: 4, arbitrary: plausible.map(encodeURIComponent) },
        { weight: 1, arbitrary: encodedText },
      );
      const times = required ? { minLength: 0, maxLength: 2 } : { maxLength: 2 };
      return fc.array(value, times).map((values) => values.map((text) => `${name}=${text}`));
    });
  const unknown = fc
    .array(fc.tuple(encodedText, encodedText), { maxLength: 1 })
    .map((all) => all.map((p) => p.join("=")));
  return fc
    .tuple(path, fc.tuple(...pairs, unknown))
    .map(([path_, query]) => (query.flat().length > 0 ? `${path_}?${query.flat().join("&")}` : path_));
}

const unquoted = (json: string): string => (json.startsWith('"') ? String(JSON.parse(json)) : json);

/** Only what a header can carry at all: the rest never leaves a client. */
const headerValue = nastyText.map((text) =>
  text
    .replace(/[^\x20-\x7e\xa0-\xff]/g, "?")
    .slice(0, 300)
    .trim(),
);

const headersOf = (operation: Operation): fc.Arbitrary<Record<string, string>> => {
  const own = (describedAs(operation)?.parameters ?? []).filter((parameter) => parameter.in === "header");
  const names = [...own.map(({ name }) => name), "Content-Type", "X-Tenant-ID", "X-Agent-ID", "Authorization"];
  return fc.dictionary(fc.constantFrom(...names), headerValue, { maxKeys: 2, noNullPrototype: true });
};

function bodyOf(operation: Operation): fc.Arbitrary<Uint8Array<ArrayBuffer> | null> {
  const schema = describedAs(operation)?.requestBody?.content["application/json"].schema;
  if (!schema) return operation.method === "GET" ? fc.constant(null) : fc.option(mangled(nastyJson));
  const members = fittingMembers(resolve(schema, nouns).properties ?? {}, nouns);
  const whole = fc.record(members).map(objectText);
  const partial: fc.Arbitrary<Partial<Record<string, string>>> = fc.record(members, { requiredKeys: [] });
  const faulty = fc.array(fc.tuple(fc.constantFrom(...Object.keys(members), "__proto__", "unheard_of"), nastyJson), {
    maxLength: 2,
  });
  const broken = fc
    .tuple(partial, faulty)
    .map(([valid, pairs]) => objectText({ ...valid, ...Object.fromEntries(pairs) }));
  const text = fc.oneof(
    { weight: 2, arbitrary: whole },
    { weight: 6, arbitrary: broken },
    { weight: 1, arbitrary: nastyJson },
  );
  const bytes = text.map((json) => new TextEncoder().encode(json));
  return fc.oneof(
    { weight: 6, arbitrary: bytes },
    { weight: 1, arbitrary: mangled(whole) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

const attackOn = (operation: Operation): fc.Arbitrary<Attack> =>
  fc.record({
    method: fc.constant(operation.method),
    target: targetOf(operation),
    headers: headersOf(operation),
    body: bodyOf(operation),
  });

const folder = temporaryFolder();
let opened: InProcess;
let watcher: Database;
let ids: readonly string[] = [];

beforeAll(async () => {
  opened = await openApp({ folder: folder.path });
  const items = Array.from({ length: ROWS }, (_, i) => ({ content: `Row ${i}, which no refused request may touch.` }));
  const body = { tenant_id: "default", items };
  const written = await opened.client.ok(BulkResult, "POST", "/api/v1/memories/bulk", { body });
  ids = written.results.map(({ id }) => id ?? "");
  watcher = new Database(join(folder.path, "cairn.db"), { readonly: true });
});

afterAll(async () => {
  watcher.close();
  await opened.app.stop();
  folder.remove();
});

/** How many rows each table holds, as another process would see it: jobs and audit rows count like memories. */
function rowCounts(): Record<string, number> {
  const tables = watcher
    .query<{ name: string }, []>(
      "select name from sqlite_master where type = 'table' and sql not like 'create virtual%' order by name",
    )
    .all();
  const counts = tables.map(({ name }): [string, number] => [
    name,
    watcher.query<{ n: number }, []>(`select count(*) as n from "${name}"`).get()?.n ?? 0,
  ]);
  return Object.fromEntries(counts);
}

for (const operation of operations) {
  test(
    `${operation.id}: whatever is sent, the reply is one the interface names, and a refusal stores nothing`,
    async () => {
      await fc.assert(
        fc.asyncProperty(attackOn(operation), async ({ method, target, headers, body }) => {
          const url = `http://localhost${target.replace(/\{row (\d+)\}/, (_, i) => ids[Number(i)] ?? "")}`;
          // The client checks the reply: declared status and shape, documented code, the envelope's two halves agreeing.
          const client = createClient((_path, init) => opened.app.handle(new Request(url, init)));
          const before = rowCounts();
          const { status } = await client.call(method, new URL(url).pathname, { raw: body ?? undefined, headers });
          expect(status).toBeLessThan(500);
          if (status >= 400) expect(rowCounts()).toEqual(before);
        }),
        { numRuns: ATTACKS_PER_OPERATION },
      );
    },
    HANG_GUARD_MS,
  );
}
