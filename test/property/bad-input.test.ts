import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { KeyMinted } from "../../src/core/schema/account.ts";
import { BulkResult } from "../../src/core/schema/memory.ts";
import type { OperationObject, ParameterObject } from "../../src/http/openapi/document.ts";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import { resolve } from "../../src/http/openapi/schemas.ts";
import type { Operation } from "../../src/http/operation.ts";
import { operations } from "../../src/http/routes/all.ts";
import { createClient } from "../support/api/client.ts";
import { temporaryFolder } from "../support/app.ts";
import type { InProcess } from "../support/in-process.ts";
import { openApp } from "../support/in-process.ts";
import { fitting, fittingMembers, fittingObject, mangled, nastyJson, nastyText, WORDS, withMember } from "./nasty.ts";

const ATTACKS_PER_OPERATION = 40;
/** Each of them makes every index anew, whatever is wrong with the request. */
const ATTACKS_ON_REBUILDING = 5;
const HANG_GUARD_MS = 180_000;
setDefaultTimeout(HANG_GUARD_MS);
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
    arbitrary: fc.constantFrom("%", "%zz", "%E0%A4%A", "%ED%A0%80", "%C0%AF", "%00", "a%2Fb", "%2e%2e", "+", "%2B"),
  },
);

const [COLLECTION, , SLUG] = WORDS;

/** What exists when the request is sent: rows and a key by placeholders, an agent by its name. */
const STORED: Readonly<Record<string, fc.Arbitrary<string>>> = {
  agent_id: fc.constant("ann"),
  key_id: fc.constant("{spare key}"),
  doc_id: fc.constant(SLUG),
};
const storedRow = fc.nat({ max: ROWS - 1 }).map((i) => `{row ${i}}`);
const stored = ({ path }: Operation): fc.Arbitrary<string> => STORED[/\{(\w+)\}/.exec(path)?.[1] ?? ""] ?? storedRow;
const pathWith = ({ path }: Operation, segment: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(segment, { minLength: 3, maxLength: 3 })
    .map((segments) => path.replace(/\{\w+\}/g, () => segments.pop() ?? ""));

const parametersOf = (operation: Operation, place: ParameterObject["in"]): readonly ParameterObject[] =>
  (describedAs(operation)?.parameters ?? []).filter((parameter) => parameter.in === place);

const unquoted = (json: string): string => (json.startsWith('"') ? String(JSON.parse(json)) : json);

/** Some of the parameters of an operation, each with a value that fits. */
function fittingQuery(operation: Operation): fc.Arbitrary<string[]> {
  const pairs = parametersOf(operation, "query").map(({ name, schema, required }) => {
    const value = name === "tenant_id" ? fc.constant("default") : fitting(schema, nouns).map(unquoted);
    const pair = value.map((text) => [`${name}=${encodeURIComponent(text)}`]);
    return required ? pair : fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: pair });
  });
  return fc.tuple(...pairs).map((all) => all.flat());
}

/** Parameters with values of the wrong kind, twice, or never heard of. */
function faultyQuery(operation: Operation): fc.Arbitrary<string[]> {
  const names = [...parametersOf(operation, "query").map(({ name }) => name), "unheard_of", "__proto__"];
  const pair = fc.tuple(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, encodedText), encodedText);
  return fc.array(pair, { minLength: 1, maxLength: 2 }).map((pairs) => pairs.map((one) => one.join("=")));
}

/** Only what a header can carry at all: the rest never leaves a client. */
const headerValue = nastyText.map((text) =>
  text
    .replace(/[^\x20-\x7e\xa0-\xff]/g, "?")
    .slice(0, 300)
    .trim(),
);

const faultyHeaders = (operation: Operation): fc.Arbitrary<Record<string, string>> => {
  const own = parametersOf(operation, "header").map(({ name }) => name);
  const names = [...own, "Content-Type", "X-Tenant-ID", "X-Agent-ID", "X-API-Key", "Authorization", "Origin"];
  return fc.dictionary(fc.constantFrom(...names), headerValue, { minKeys: 1, maxKeys: 2, noNullPrototype: true });
};

type Body = Uint8Array<ArrayBuffer> | null;
const encoded = (json: fc.Arbitrary<string>): fc.Arbitrary<Body> => json.map((text) => new TextEncoder().encode(text));

/** A body that fits, and one that does not. Operations without a body get one nevertheless. */
function bodiesOf(operation: Operation): readonly [fits: fc.Arbitrary<Body>, faulty: fc.Arbitrary<Body>] {
  const schema = describedAs(operation)?.requestBody?.content["application/json"].schema;
  if (!schema) return [fc.constant(null), operation.method === "GET" ? fc.constant(null) : mangled(nastyJson)];
  const members = fittingMembers(resolve(schema, nouns).properties ?? {}, nouns);
  const whole = fittingObject(members, resolve(schema, nouns).required ?? []);
  const fault = fc.tuple(fc.constantFrom(...Object.keys(members), "__proto__", "unheard_of"), nastyJson);
  const broken = fc
    .tuple(whole, fc.array(fault, { minLength: 1, maxLength: 2 }))
    .map(([text, faults]) => faults.reduce((sofar, [name, json]) => withMember(sofar, name, json), text));
  const faulty = fc.oneof(
    { weight: 6, arbitrary: encoded(broken) },
    { weight: 1, arbitrary: encoded(nastyJson) },
    { weight: 1, arbitrary: mangled(whole) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
  return [encoded(whole), faulty];
}

const PARTS = ["path", "query", "headers", "body"] as const;

/** A request that is right but for the parts chosen to be wrong: everything at once would never get past the first check. */
function attackOn(operation: Operation): fc.Arbitrary<Attack> {
  const [body, faultyBody] = bodiesOf(operation);
  const parts = fc.record({
    wrong: fc.subarray([...PARTS], { minLength: 0, maxLength: 2 }),
    path: pathWith(operation, stored(operation)),
    credential: fc.constantFrom({}, { "X-API-Key": "{agent key}" }),
    faultyPath: pathWith(operation, encodedText),
    query: fittingQuery(operation),
    faultyQuery: faultyQuery(operation),
    faultyHeaders: faultyHeaders(operation),
    body,
    faultyBody,
  });
  return parts.map((part) => {
    const isWrong = (name: (typeof PARTS)[number]) => part.wrong.includes(name);
    const query = [...part.query, ...(isWrong("query") ? part.faultyQuery : [])].join("&");
    return {
      method: operation.method,
      target: `${isWrong("path") ? part.faultyPath : part.path}${query === "" ? "" : `?${query}`}`,
      headers: { ...part.credential, ...(isWrong("headers") ? part.faultyHeaders : {}) },
      body: isWrong("body") ? part.faultyBody : part.body,
    };
  });
}

const folder = temporaryFolder();
let opened: InProcess;
let watcher: Database;
/** What the placeholders of a request stand for. */
let real: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  opened = await openApp({ folder: folder.path });
  watcher = new Database(join(folder.path, "cairn.db"), { readonly: true });
});

// Anew for each operation, because some of them remove what they meet.
beforeEach(async () => {
  const { client } = opened;
  const key = { agent_id: "ann", fleet_id: "red", trust: 1 };
  const agentKey = await client.ok(KeyMinted, "POST", "/api/v1/keys", { body: key });
  const spareKey = await client.ok(KeyMinted, "POST", "/api/v1/keys", { body: {} });
  const items = Array.from({ length: ROWS }, (_, i) => ({
    content: `Row ${i} for ${agentKey.id}, not to be touched.`,
  }));
  const body = { tenant_id: "default", agent_id: "ann", fleet_id: "red", items };
  const { results } = await client.ok(BulkResult, "POST", "/api/v1/memories/bulk", { body });
  const document = {
    tenant_id: "default",
    collection: COLLECTION,
    doc_id: SLUG,
    data: { summary: "what it is about" },
  };
  await client.call("POST", "/api/v1/documents", { body: document });
  const rows = results.map(({ id }, i) => [`row ${i}`, id ?? ""]);
  real = { "agent key": agentKey.raw_key, "spare key": spareKey.id, ...Object.fromEntries(rows) };
});

afterAll(async () => {
  watcher.close();
  await opened.app.stop();
  folder.remove();
});

const withReal = (text: string): string => text.replace(/\{([a-z0-9 ]+)\}/g, (all, name) => real[name] ?? all);

/** How many rows each table holds, as another process would see it: jobs and audit rows count like memories. */
function rowCounts(): unknown {
  const tables = watcher
    .query<{ name: string }, []>(
      "select name from sqlite_master where type = 'table' and sql not like 'create virtual%' order by name",
    )
    .all();
  const counts = tables.map(({ name }) => `(select count(*) from "${name}") as "${name}"`);
  return watcher.query(`select ${counts.join(", ")}`).get();
}

/** A write with `wait=searchable` is answered once the jobs that it left are done. */
const waitsForJobs = (url: string): boolean => new URL(url).searchParams.has("wait");

async function whileJobsRun<T>(reply: Promise<T>): Promise<T> {
  let answered = false;
  const done = reply.finally(() => {
    answered = true;
  });
  while (!answered) {
    await opened.settle();
    await Bun.sleep(1);
  }
  return done;
}

for (const operation of operations) {
  test(`${operation.id}: whatever is sent, the reply is one the interface names, and a refusal stores nothing`, async () => {
    await fc.assert(
      fc.asyncProperty(attackOn(operation), async ({ method, target, headers, body }) => {
        const url = `http://localhost${withReal(target)}`;
        // The client checks the reply: declared status and shape, documented code, the envelope's two halves agreeing.
        const client = createClient((_path, init) => opened.app.handle(new Request(url, init)));
        const waits = waitsForJobs(url);
        if (waits) await opened.settle();
        const before = rowCounts();
        const reply = client.call(method, new URL(url).pathname, {
          raw: body ?? undefined,
          headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, withReal(value)])),
        });
        const { status } = await (waits ? whileJobsRun(reply) : reply);
        expect(status).toBeLessThan(500);
        if (status >= 400) expect(rowCounts()).toEqual(before);
      }),
      { numRuns: operation.id === "rebuildIndexes" ? ATTACKS_ON_REBUILDING : ATTACKS_PER_OPERATION },
    );
  });
}

test("JSON is read to a depth of 64 levels and refused beyond, however it is nested", async () => {
  const brackets = fc.constantFrom(["[", "]"], ['{"a":', "}"], ['[{"a":', "}]"]);
  const depth = fc.oneof(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 5_000 }));
  let serial = 0;
  await fc.assert(
    fc.asyncProperty(brackets, depth, async ([open = "", close = ""], times) => {
      // The body itself and its metadata are the first two levels.
      const levels = 2 + times * (open.length > 5 ? 2 : 1);
      const metadata = `{"deep":${open.repeat(times)}1${close.repeat(times)}}`;
      const raw = `{"tenant_id":"default","content":"A row of depth ${times}, ${++serial}.","metadata":${metadata}}`;
      const { status } = await opened.client.call("POST", "/api/v1/memories", { raw });
      expect(status).toBe(levels > 64 ? 422 : 201);
    }),
    { numRuns: 60 },
  );
});
