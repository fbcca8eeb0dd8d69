import { z } from "zod";
import { AppError } from "../../../core/kernel/errors.ts";
import { isJsonObject, type JsonValue } from "../../../core/kernel/json.ts";
import { KEYSTONES } from "../../../core/schema/keystone.ts";
import type { ReadLine, ReadRecord } from "../../reader.ts";
import type { Asked, CauraOptions, Query } from "./ask.ts";
import { askCaura, noInterface, Refusal } from "./ask.ts";
import { byTime } from "./by-time.ts";
import { oldestFirst, pagesOf } from "./pages.ts";
import type { Became, KnownEntities, KnownEntity } from "./rows.ts";
import { agentOf, documentOf, entityOf, memoryOf, relationOf } from "./rows.ts";

export interface CauraSource extends CauraOptions {
  /** The one that the key belongs to, where it is left out. */
  readonly tenant_id?: string | null;
  /** Rows of a page; the interface gives at most 500. */
  readonly page_size?: number;
}

const PAGE_SIZE = 500;
const SKILLS = "skills";

interface Reading {
  readonly asked: Asked;
  readonly tenant_id: string;
  readonly size: number;
}

/**
 * Everything that a server with the interface of Caura shows of a tenant: agents, entities, relations, keystones, documents,
 * skills, then memories in the order of time, private ones of each agent among them. Ids are kept. A list that the key may not
 * read is one fault. Throws AppError where the server does not answer; read again, what was stored is known by its id.
 */
export async function* readCaura({
  tenant_id,
  page_size = PAGE_SIZE,
  ...options
}: CauraSource): AsyncIterable<ReadLine> {
  const asked = askCaura(options);
  const reading = { asked, tenant_id: tenant_id ?? (await ownTenant(asked)), size: page_size };
  const agents: string[] = [];
  for await (const line of unlessRefused(reading, "/agents", agentsOf(reading))) {
    if ("record" in line && line.record.record === "agent") agents.push(line.record.agent_id);
    yield line;
  }
  const entities = new Map<string, KnownEntity>();
  yield* unlessRefused(reading, "/entities", entitiesOf(reading, entities));
  yield* unlessRefused(reading, "/documents", documentsOf(reading));
  yield* memoriesOf(reading, agents, entities);
}

const Whoami = z.object({ tenant_id: z.string() });

async function ownTenant(asked: Asked): Promise<string> {
  const tenant = Whoami.safeParse((await asked.get("/whoami")).body).data?.tenant_id;
  if (tenant) return tenant;
  throw new AppError("BAD_REQUEST", `${asked.addressOf("/whoami")} does not say whose the key is. Name the tenant.`);
}

/** A list without which the rest is still worth having. */
async function* unlessRefused(
  { asked }: Reading,
  path: string,
  lines: AsyncIterable<ReadLine>,
): AsyncIterable<ReadLine> {
  try {
    yield* lines;
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 401) throw error;
    yield { place: { file: asked.addressOf(path), line: 1 }, fault: error.message };
  }
}

/** Lines of one list, numbered as they come. */
function numbered({ asked }: Reading, path: string): (became: Became) => ReadLine[] {
  let line = 0;
  return (became) => {
    const place = { file: asked.addressOf(path), line: ++line };
    if (became === null) return [];
    return [typeof became === "string" ? { place, fault: became } : { place, record: became }];
  };
}

async function* agentsOf(reading: Reading): AsyncIterable<ReadLine> {
  const { body } = await reading.asked.get("/agents", { tenant_id: reading.tenant_id });
  const line = numbered(reading, "/agents");
  for (const row of listOf(reading, "/agents", body)) yield* line(agentOf(row));
}

/** Entities, and how they are related, as far as somebody entered it. */
async function* entitiesOf(reading: Reading, entities: Map<string, KnownEntity>): AsyncIterable<ReadLine> {
  const { asked, tenant_id, size } = reading;
  const line = numbered(reading, "/entities");
  for await (const page of pagesOf(asked, { path: "/entities", query: { tenant_id }, size })) {
    for (const row of listOf(reading, "/entities", page)) {
      const entity = entityOf(row);
      const id = isEntity(entity) ? (entity.id ?? "") : "";
      if (entities.has(id)) continue;
      if (isEntity(entity)) entities.set(id, { name: entity.canonical_name, created_at: entity.created_at ?? "" });
      yield* line(entity);
    }
  }
  if (entities.size > 0) yield* unlessRefused(reading, "/graph", relationsOf(reading, entities));
}

type EntityRecord = Extract<ReadRecord, { record: "entity" }>;
const isEntity = (became: Became): became is EntityRecord =>
  became !== null && typeof became !== "string" && became.record === "entity";

/** A page of the graph has the relations within it: where there are several, each entity is asked for its own. */
async function* relationsOf(reading: Reading, entities: KnownEntities): AsyncIterable<ReadLine> {
  const { asked, tenant_id, size } = reading;
  const line = numbered(reading, "/graph");
  const seen = new Set<string>();
  const added = function* (rows: readonly JsonValue[]): Iterable<ReadLine> {
    for (const row of rows) {
      const id = isJsonObject(row) ? String(row.id) : "";
      if (seen.has(id)) continue;
      seen.add(id);
      yield* line(relationOf(row, entities));
    }
  };
  let pages = 0;
  for await (const page of pagesOf(asked, { path: "/graph", query: { tenant_id }, size }, "nodes")) {
    pages++;
    yield* added(listOf(reading, "/graph", isJsonObject(page) ? page.edges : null));
  }
  if (pages < 2) return;
  for (const id of entities.keys()) {
    const { body } = await asked.get(`/entities/${id}`, { tenant_id });
    const relations = isJsonObject(body) ? body.relations : null;
    yield* added(Array.isArray(relations) ? relations : []);
  }
}

const Collections = z.object({ collections: z.array(z.object({ name: z.string() })) });

/** Keystones, documents and skills: all lie in collections. Others that the server keeps for itself stay there. */
async function* documentsOf(reading: Reading): AsyncIterable<ReadLine> {
  const { asked, tenant_id } = reading;
  const { data } = Collections.safeParse((await asked.get("/documents/collections", { tenant_id })).body);
  if (!data) throw noInterface(asked.addressOf("/documents/collections"));
  const named = data.collections.map(({ name }) => name).filter((name) => !name.startsWith("_"));
  const others = named.filter((name) => name !== SKILLS);
  yield* unlessRefused(reading, "/documents", collectionOf(reading, "keystone", KEYSTONES));
  for (const name of others) yield* collectionOf(reading, "document", name);
  if (named.includes(SKILLS)) yield* collectionOf(reading, "skill", SKILLS);
}

async function* collectionOf(
  reading: Reading,
  record: "document" | "keystone" | "skill",
  collection: string,
): AsyncIterable<ReadLine> {
  const { asked, tenant_id, size } = reading;
  const line = numbered(reading, `/documents?collection=${encodeURIComponent(collection)}`);
  const seen = new Set<string>();
  for await (const page of pagesOf(asked, { path: "/documents", query: { tenant_id, collection }, size })) {
    for (const row of listOf(reading, "/documents", page)) {
      const id = isJsonObject(row) ? String(row.doc_id) : "";
      if (seen.has(id)) continue;
      seen.add(id);
      yield* line(documentOf(record, row));
    }
  }
}

/** What all see, and what each agent alone sees, merged by time. */
async function* memoriesOf(
  reading: Reading,
  agents: readonly string[],
  entities: KnownEntities,
): AsyncIterable<ReadLine> {
  const { asked, tenant_id, size } = reading;
  const listed = async function* (query: Query, isWanted: (row: ReadRecord) => boolean): AsyncIterable<ReadLine> {
    const line = numbered(reading, "/memories");
    for await (const row of oldestFirst(asked, { path: "/memories", query: { tenant_id, ...query }, size })) {
      const memory = memoryOf(row, entities);
      if (memory === null || typeof memory === "string" || isWanted(memory)) yield* line(memory);
    }
  };
  const isPrivate = (row: ReadRecord): boolean => row.record === "memory" && row.visibility === "scope_agent";
  const streams = agents.map((agent_id) =>
    // Some servers do not filter by visibility.
    unlessRefused(reading, "/memories", listed({ agent_id, visibility: "scope_agent" }, isPrivate)),
  );
  yield* byTime([listed({}, () => true), ...streams]);
}

function listOf({ asked }: Reading, path: string, value: JsonValue | undefined): JsonValue[] {
  if (Array.isArray(value)) return value;
  throw noInterface(asked.addressOf(path));
}
