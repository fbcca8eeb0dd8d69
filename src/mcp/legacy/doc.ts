import { z } from "zod";
import { SKILLS } from "../../core/schema/skill.ts";
import { Collections, requireShown, shownAmong } from "../collections.ts";
import type { Told } from "../told.ts";
import { told } from "../told.ts";
import { ToolError } from "../tool-error.ts";
import { writtenBack } from "../written-back.ts";
import type { LegacyAnswer, LegacyCall } from "./declare.ts";
import { AgentArgument, legacyTool, required } from "./declare.ts";
import { activeOnly, activeSkills, deliveredWhere, deliversSkills } from "./skills.ts";

const Input = z.object({
  op: z.enum(["write", "read", "query", "delete", "list_collections", "search"]),
  collection: z.string().optional().describe("All ops but list_collections; search without it looks everywhere."),
  doc_id: z.string().optional().describe("write, read, delete."),
  data: z.looseObject({}).optional().describe("write; data.summary is what search finds."),
  where: z.looseObject({}).optional().describe("query: members of data that must be equal."),
  order_by: z.string().optional(),
  order: z.enum(["asc", "desc"]).default("asc"),
  limit: z.int().default(20),
  offset: z.int().default(0),
  agent_id: AgentArgument,
  fleet_id: z.string().optional(),
  query: z.string().optional().describe("search."),
  top_k: z.int().min(1).max(50).default(5).describe("search."),
});
type Input = z.infer<typeof Input>;

const Hit = z.looseObject({ collection: z.string(), doc_id: z.string(), data: z.looseObject({}) });
const Document = Hit.extend({ updated_at: z.string() });

export const doc = legacyTool({
  name: "doc",
  description:
    "Documents by collection and key: write, read, query by field, search by meaning, delete, list_collections.",
  destroys: true,
  input: Input,
  run: async (call, input) => {
    const { op, fleet_id } = input;
    requireShown(input.collection);
    const agent_id = call.agent(input.agent_id);
    if (op === "list_collections") return listCollections(call, fleet_id);
    if (op === "search") return search(call, input);
    const collection = required(op, "collection", input.collection);
    if (op === "query") return query(call, collection, input);
    const address = { collection, doc_id: required(op, "doc_id", input.doc_id) };
    switch (op) {
      case "write":
        return write(call, { ...address, data: required(op, "data", input.data), fleet_id, agent_id });
      case "read":
        return read(call, address);
      case "delete":
        return remove(call, address);
      default:
        return op satisfies never;
    }
  },
});

/** Whether what was written is new, as its two times tell. */
export function createdOrUpdated(written: unknown): "created" | "updated" {
  const { created_at, updated_at } = z.object({ created_at: z.string(), updated_at: z.string() }).parse(written);
  return created_at === updated_at ? "created" : "updated";
}

const Written = z.object({ doc_id: z.string(), indexed: z.boolean() });

type WriteBody = Address & { readonly data: unknown } & Readonly<Record<string, unknown>>;

async function write(call: LegacyCall, body: WriteBody): Promise<LegacyAnswer> {
  const written = await call.ask("writeDocument", { body: { ...body, data: await writtenBack(call.ask, body) } });
  const { doc_id, indexed } = Written.parse(written);
  return { ok: true, collection: body.collection, doc_id, action: createdOrUpdated(written), indexed };
}

interface Address {
  readonly collection: string;
  readonly doc_id: string;
}

/** A document as this caller's agents see it; null when there is none. */
async function found(call: LegacyCall, { collection, doc_id }: Address) {
  try {
    const reply = await call.ask("getDocument", { params: { doc_id }, query: { collection } });
    const document = Document.parse(reply);
    const hidden = collection === SKILLS && document.data.status !== "active" && (await deliversSkills(call));
    return hidden ? null : document;
  } catch (error) {
    if (error instanceof ToolError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}

const notFound = ({ collection, doc_id }: Address): Told => told`Not found: ${collection}/${doc_id}`;

async function read(call: LegacyCall, address: Address): Promise<LegacyAnswer> {
  const document = await found(call, address);
  if (document === null) return notFound(address);
  const { collection, doc_id, data, updated_at } = document;
  return { collection, doc_id, data, updated_at };
}

async function remove(call: LegacyCall, address: Address): Promise<LegacyAnswer> {
  const { collection, doc_id } = address;
  if ((await found(call, address)) === null) return notFound(address);
  await call.ask("removeDocument", { params: { doc_id }, query: { collection } });
  return { ok: true, collection, doc_id, deleted: true };
}

async function query(call: LegacyCall, collection: string, input: Input): Promise<LegacyAnswer> {
  const { order_by, order, limit, offset, fleet_id } = input;
  const where = await deliveredWhere(call, collection, input.where);
  const body = { collection, where, order_by, order, limit, offset, fleet_id };
  const results = z.array(z.unknown()).parse(await call.ask("queryDocuments", { body }));
  return { collection, count: results.length, results };
}

async function search(call: LegacyCall, { op, query, collection, fleet_id, top_k }: Input): Promise<LegacyAnswer> {
  const body = { query: required(op, "query", query), collection, fleet_id };
  const hits = async (many: number) =>
    z.object({ results: z.array(Hit) }).parse(await call.ask("searchDocuments", { body: { ...body, top_k: many } }))
      .results;
  const results = await activeOnly(call, { collection, top_k, hits });
  return { collection: collection ?? null, count: results.length, results };
}

async function listCollections(call: LegacyCall, fleet_id: string | undefined): Promise<LegacyAnswer> {
  const collections = shownAmong(Collections.parse(await call.ask("listCollections", { query: { fleet_id } })));
  const active = await activeSkills(call, fleet_id);
  const counted = collections
    .map((one) => (one.name === SKILLS && active !== null ? { ...one, count: active } : one))
    .filter(({ count }) => count > 0);
  return { collections: counted, count: counted.length };
}
