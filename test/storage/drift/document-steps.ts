import * as fc from "fast-check";
import type { JsonObject, JsonValue } from "../../../src/core/kernel/json.ts";
import type { StoredDocument } from "../../../src/core/ports/document-store.ts";
import { SPACE } from "../../support/builders.ts";
import { aChange } from "../contract/documents.ts";
import { asked } from "../subject.ts";
import { actor, bytes, degrees, fleet, limit, offset, orNull, TENANTS, tenant, vectorAt } from "./pools.ts";
import type { PlainWorld } from "./world.ts";
import { plainStepOf, stepOf } from "./world.ts";

const COLLECTIONS = ["books", "Zoo", "äpfel"] as const;
const DOC_IDS = ["a", "B", "ä", "a/b", "10", "9"] as const;
/** Values that are nearly alike, and some of each type. */
const VALUES: readonly JsonValue[] = [
  1,
  "1",
  1.5,
  10,
  -0,
  1e21,
  "a",
  "B",
  "ä",
  "",
  true,
  false,
  null,
  [1],
  [1, 2],
  { x: 1 },
  { y: 1, x: 1 },
  { x: 1, y: 1 },
  "x".repeat(700),
];
const value = fc.constantFrom(...VALUES);
const data: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ n: value }),
  fc.record({ n: value, "a.b $": value }, { requiredKeys: [] }),
);
const key = fc.record({
  tenant_id: tenant,
  collection: fc.constantFrom(...COLLECTIONS),
  doc_id: fc.constantFrom(...DOC_IDS),
});
const summary = fc.constantFrom(null, "The heron stands.", "Anna moved to Rome.");

const write = plainStepOf(
  "write document",
  fc.record({
    key,
    actor,
    data,
    fleet_id: orNull(fleet),
    summary,
    degrees,
    documents_limit: fc.constantFrom(undefined, 3),
    shown: fc.constantFrom(undefined, ["n"]),
    queued: fc.boolean(),
  }),
  (world, { key, actor, summary, degrees, queued, ...drawn }) =>
    world.storage.documents.upsert(key, actor, () => {
      const vector = summary === null ? null : vectorAt(degrees);
      return aChange(drawn.data, {
        ...drawn,
        searchable: summary === null ? null : { summary, text: summary },
        vector,
        embedded_by: vector && SPACE.id,
        jobsFor: ({ tenant_id, id }) =>
          queued ? [{ kind: "embed_documents", payload: { tenant_id, ids: [id] } }] : [],
      });
    }),
);

const remove = plainStepOf("remove document", fc.record({ key, actor }), (world, { key, actor }) =>
  world.storage.documents.remove(key, actor, () => "document.delete"),
);

/** All documents of a tenant, by what they are called. */
export async function documentsOf(world: PlainWorld, tenant_id: string): Promise<StoredDocument[]> {
  const found: StoredDocument[] = [];
  for (const collection of COLLECTIONS) {
    const filter = { tenant_id, collection };
    found.push(...(await world.storage.documents.list({ filter, order: "asc", offset: 0, limit: 100 })));
  }
  return found;
}

const fill = stepOf(
  "fill documents",
  fc.record({ tenant_id: tenant, degrees, stale: fc.boolean() }),
  async (world, { tenant_id, degrees, stale }) => {
    const ids = (await documentsOf(world, tenant_id)).map(({ id }) => id);
    const pending = await world.storage.documents.pending(tenant_id, ids, SPACE.id);
    const vector = vectorAt(degrees);
    if (vector)
      await world.storage.documents.fillVectors(
        tenant_id,
        pending.map(({ id, summary }) => ({ id, summary: stale ? "another" : (summary ?? ""), vector })),
      );
    return pending;
  },
);

export const plainDocumentSteps = fc.oneof({ arbitrary: write, weight: 8 }, { arbitrary: remove, weight: 1 });
export const documentSteps = fc.oneof({ arbitrary: plainDocumentSteps, weight: 9 }, { arbitrary: fill, weight: 1 });

const page = fc.record({
  filter: fc.record(
    {
      tenant_id: tenant,
      collection: fc.constantFrom(...COLLECTIONS),
      fleet_id: fleet,
      where: fc.oneof(data, fc.record({ n: value, absent: value })),
      skill_visibility: fc.record({ fleets: fc.uniqueArray(fleet, { maxLength: 1 }) }),
    },
    { requiredKeys: ["tenant_id", "collection"] },
  ),
  order_by: fc.constantFrom(undefined, "n", "a.b $", "absent"),
  order: fc.constantFrom("asc", "desc"),
  offset,
  limit,
  without: fc.constantFrom(undefined, ["n"], ["absent", "a.b $"]),
});

const list = plainStepOf("list documents", page, (world, drawn) => world.storage.documents.list(drawn));
const paged = stepOf("page of documents", fc.record({ page, bytes }), (world, drawn) =>
  world.storage.documents.page({ ...drawn.page, bytes: drawn.bytes }),
);
const get = plainStepOf("get document", key, async (world, where) => {
  const found = await world.storage.documents.get(where);
  const byId = found && (await world.storage.documents.get({ ...where, doc_id: found.id }));
  return [found, byId];
});
const collections = plainStepOf(
  "collections",
  fc.record({ tenant_id: tenant, fleet_id: orNull(fleet) }),
  (world, { tenant_id, fleet_id }) => world.storage.documents.collections(tenant_id, fleet_id),
);
const dataOf = stepOf("data of", fc.record({ tenant_id: tenant, bytes, from: fc.nat(3) }), async (world, drawn) => {
  const ids = (await documentsOf(world, drawn.tenant_id)).map(({ id }) => id).reverse();
  return world.storage.documents.dataOf(drawn.tenant_id, { ids: ids.slice(drawn.from), bytes: drawn.bytes });
});
const hits = stepOf(
  "document hits",
  fc.record({
    tenant_id: tenant,
    collection: fc.constantFrom(undefined, ...COLLECTIONS),
    fleet_id: fc.constantFrom(undefined, "red", "Blue"),
    words: fc.uniqueArray(fc.constantFrom("heron", "anna", "rome"), { maxLength: 2 }),
    degrees: orNull(fc.constantFrom(3, 40)),
  }),
  async (world, { degrees, ...drawn }) => {
    const values = vectorAt(degrees);
    const found = await world.storage.documents.hits({ ...drawn, vector: values && asked(values), pool: 50 });
    const shown = found.hits.map(({ document, vec_sim, ...rest }) => ({
      ...rest,
      name: `${document.collection} ${document.doc_id}`,
      vec_sim: vec_sim?.toFixed(2),
    }));
    shown.sort((a, b) => (a.name < b.name ? -1 : 1));
    return { ...found, hits: shown };
  },
);

export const plainDocumentQuestions = fc.oneof({ arbitrary: list, weight: 6 }, get, collections);
export const documentQuestions = fc.oneof(
  { arbitrary: plainDocumentQuestions, weight: 8 },
  { arbitrary: paged, weight: 2 },
  dataOf,
  hits,
);

/** All that is stored of documents. */
export const allOfDocuments = (world: PlainWorld): Promise<unknown> =>
  Promise.all(TENANTS.map((tenant_id) => documentsOf(world, tenant_id)));
