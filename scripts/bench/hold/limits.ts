import type { HostileShape } from "./shapes.ts";

const TENANT = "tenant_id=default";
const ROWS = 500;
const ROWS_A_BULK = 60;
const DOCUMENTS = 10;
const ENTITIES = 40;

/** Rows, documents and entities as large as they may be, written and read; `memory_id` is one that may be changed. */
export function* shapesAtLimits(memory_id: string): Generator<HostileShape> {
  const metadata = { text: "x".repeat(60 * 1024) };
  for (let index = 0; index < ROWS; index += ROWS_A_BULK) {
    const items = list(Math.min(ROWS_A_BULK, ROWS - index), (i) => ({
      content: `Heron ${index + i} of the pond.`,
      metadata,
    }));
    yield post("large rows", "bulk of 60 KiB each", "/memories/bulk", { items });
  }
  yield get("large rows", "list of 500", `/memories?${TENANT}&limit=500`);
  yield post("large rows", "search", "/search", { query: "heron of the pond", top_k: 20 });
  const crowded = list(100, (i) => ({ content: `A grey heron ${i} of the lake.`, metadata: members(980, `r${i}`) }));
  yield post("crowded rows", "bulk of 980 members each", "/memories/bulk", { items: crowded });
  yield get("crowded rows", "list of 100", `/memories?${TENANT}&limit=100`);
  for (let i = 0; i < DOCUMENTS; i++) {
    const data = i % 2 === 0 ? { text: "x".repeat(1_000_000) } : members(5_000, "x".repeat(180));
    yield post("large documents", "write", "/documents", { collection: "large", doc_id: `d${i}`, data });
  }
  yield get("large documents", "list", `/documents?${TENANT}&collection=large&limit=50`);
  yield post("large documents", "query", "/documents/query", { collection: "large", limit: 50, order_by: "k1" });
  for (let i = 0; i < ENTITIES; i++) {
    const attributes = members(2_500, `e${i}`);
    const entity = { entity_type: "person", canonical_name: `Nils Holm ${i}`, attributes };
    yield post("large entities", "upsert", "/entities/upsert", entity);
  }
  yield get("large entities", "graph", `/graph?${TENANT}&limit=100`);
  yield get("large entities", "list", `/entities?${TENANT}&limit=100`);
  const aliases = list(50_000, (i) => `Alias ${i}`);
  yield post("lists", "50,000 aliases", "/entities/upsert", { entity_type: "person", canonical_name: "Eva", aliases });
  yield post("lists", "90,000 ids", "/memories/bulk-delete", { ids: list(90_000, () => memory_id) });
  const change = (text: string, body: object) =>
    send("PATCH", "changes", text, `/memories/${memory_id}?${TENANT}`, body);
  yield change("metadata of 60 KiB", { metadata });
  yield change("4,900 members", { metadata: members(4_900, "k") });
  yield change("90,000 members", { metadata: members(90_000, "k") });
  yield change("99,000 tags", { metadata: { tags: list(99_000, () => "") } });
  for (const method of ["PUT", "PATCH"] as const)
    yield send(method, "settings", "90,000 names", `/settings?${TENANT}`, members(90_000, "k"));
}

const list = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index));
const members = (count: number, name: string) => Object.fromEntries(list(count, (index) => [`${name}${index}`, index]));

const post = (shape: string, text: string, path: string, body: object): HostileShape =>
  send("POST", shape, text, path, { tenant_id: "default", ...body });

const get = (shape: string, text: string, path: string): HostileShape => ({
  shape,
  text,
  method: "GET",
  path: `/api/v1${path}`,
  body: null,
});

const send = (
  method: HostileShape["method"],
  shape: string,
  text: string,
  path: string,
  body: object,
): HostileShape => ({
  shape,
  text,
  method,
  path: `/api/v1${path}`,
  body: JSON.stringify(body),
});
