import { z } from "zod";
import { Entity, EntityDetail, Graph, Relation } from "../../../src/core/schema/entity.ts";
import { TENANT } from "../builders.ts";
import type { CallOptions, Client } from "./client.ts";

export const ENTITIES = "/api/v1/entities";
export const RELATIONS = "/api/v1/relations/upsert";
export const GRAPH = "/api/v1/graph";

type Fields = Readonly<Record<string, unknown>>;
type Query = NonNullable<CallOptions["query"]>;

/** The calls of entities, each expected to succeed. */
export interface EntitiesApi {
  list(query?: Query): Promise<Entity[]>;
  get(id: string, query?: Query): Promise<EntityDetail>;
  upsert(fields: Fields): Promise<Entity>;
  relate(fields: Fields): Promise<Relation>;
  graph(query?: Query): Promise<Graph>;
  change(id: string, fields: Fields): Promise<EntityDetail>;
  /** Makes the second entity a part of the first. */
  merge(id: string, from_id: string): Promise<EntityDetail>;
  /** Names of the list, with how many memories name each. */
  counts(query?: Query): Promise<Record<string, number>>;
}

export function entitiesApi(client: Client, tenant_id = TENANT): EntitiesApi {
  const list = (query?: Query) => client.ok(z.array(Entity), "GET", ENTITIES, { query });
  return {
    list,
    get: (id, query) => client.ok(EntityDetail, "GET", `${ENTITIES}/${id}`, { query }),
    upsert: (fields) => client.ok(Entity, "POST", `${ENTITIES}/upsert`, { body: { tenant_id, ...fields } }),
    relate: (fields) => client.ok(Relation, "POST", RELATIONS, { body: { tenant_id, ...fields } }),
    change: (id, fields) => client.ok(EntityDetail, "PATCH", `${ENTITIES}/${id}`, { body: { tenant_id, ...fields } }),
    merge: (id, from_id) =>
      client.ok(EntityDetail, "POST", `${ENTITIES}/${id}/merge`, { body: { tenant_id, from_id } }),
    graph: (query) => client.ok(Graph, "GET", GRAPH, { query }),
    counts: async (query) =>
      Object.fromEntries((await list(query)).map(({ canonical_name, memory_count }) => [canonical_name, memory_count])),
  };
}
