import { hostileTexts } from "./hostile-texts.ts";

/** One request that means harm. */
export interface HostileShape {
  readonly shape: string;
  /** What its text is made of. */
  readonly text: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  readonly path: string;
  readonly body: string | null;
}

const tenant_id = "default";
const CONTENT = 9_900;
const QUERY = 4_900;
const SKILL = 39_000;

/** Small bodies of many values, bodies at the limits, and every hostile text by every way in. */
export function* hostileShapes(): Generator<HostileShape> {
  for (const [name, value] of crowds()) {
    yield crowd(name, "where", "/documents/query", `{"collection":"c","where":{"a":${value}}}`);
    yield crowd(name, "data", "/documents", `{"collection":"c","doc_id":"d","data":{"a":${value}}}`);
    yield crowd(name, "metadata", "/memories", `{"content":"A heron in the reeds.","metadata":{"a":${value}}}`);
    yield crowd(name, "unknown", "/memories", `{"content":"A heron in the reeds, ${name}.","unheard":${value}}`);
    yield crowd(name, "items", "/memories/bulk", `{"items":${value}}`);
    yield crowd(name, "ids", "/memories/bulk-delete", `{"ids":${value}}`);
    yield crowd(name, "search", "/search", `{"query":"heron","filters":${value}}`);
    yield crowd(name, "fields", "/search", `{"query":"heron","fields":${value}}`);
  }
  for (const text of hostileTexts(CONTENT)) {
    yield of("write", text, "/memories", { content: text });
    yield of("document", text, "/documents", { collection: "c", doc_id: "d", data: { summary: text, text } });
    yield of("keystone", text, "/keystones", { doc_id: "k", title: "K", content: text, scope: "tenant", weight: 1 });
  }
  for (const text of hostileTexts(QUERY)) {
    yield of("search", text, "/search", { query: text });
    yield of("recall", text, "/recall", { query: text });
    yield of("document search", text, "/documents/search", { query: text });
  }
  for (const text of hostileTexts(SKILL)) {
    const means = { domain: "work", kind: "create", source: "agent" };
    const data = { name: "S", slug: "s", description: "S.", ...means, content: `Heron. ${inBytes(text, SKILL)}` };
    yield of("skill", text, "/documents", { collection: "skills", doc_id: "s", data });
  }
}

/** As much of a text as has so many bytes. */
const inBytes = (text: string, bytes: number): string => Buffer.from(text).subarray(0, bytes).toString();

function* crowds(): Generator<[string, string]> {
  const list = (one: string, count: number) => `[${Array(count).fill(one).join(",")}]`;
  yield ["1.3 million objects", list("{}", 1_300_000)];
  yield ["1.9 million numbers", list("1", 1_900_000)];
  yield ["99,000 objects", list("{}", 99_000)];
  yield ["99,000 texts of 36", list(`"${"x".repeat(36)}"`, 99_000)];
  yield ["99,000 large numbers", list("9007199254740992", 99_000)];
  yield ["99,000 numbers too large", list("9007199254740993", 99_000)];
  yield ["49,000 names", `{${Array.from({ length: 49_000 }, (_, i) => `"k${i}":1`).join(",")}}`];
  yield ["one text of 3.9 MB", `"${"x".repeat(3_900_000)}"`];
  yield ["1.9 million words with commas", `"${"a,".repeat(1_900_000)}"`];
  yield ["a number of 3.9 MB", "1".repeat(3_900_000)];
  yield ["a name of 3.9 MB", `{"${"x".repeat(3_900_000)}":1}`];
  yield ["nested 63 deep", `${"[".repeat(60)}${"]".repeat(60)}`];
}

const crowd = (text: string, where: string, path: string, json: string): HostileShape => ({
  shape: `crowd as ${where}`,
  text,
  method: "POST",
  path: `/api/v1${path}`,
  body: json.replace("{", `{"tenant_id":"${tenant_id}",`),
});

const of = (shape: string, text: string, path: string, body: object): HostileShape => ({
  shape,
  text: JSON.stringify(text.slice(0, 24)),
  method: "POST",
  path: `/api/v1${path}`,
  body: JSON.stringify({ tenant_id, ...body }),
});
