import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/core/kernel/json.ts";
import { mergeDeep } from "../../src/core/kernel/json.ts";
import { silentLogger } from "../../src/core/kernel/log.ts";
import type { StoredDocument } from "../../src/core/ports/document-store.ts";
import { searchableText } from "../../src/documents/searchable.ts";
import { storagePolicies } from "../../src/startup/storage-policies.ts";
import { openSqlite } from "../../src/storage/sqlite/open.ts";
import { aChange } from "../storage/contract/documents.ts";
import { ACTOR, SPACE } from "../support/builders.ts";
import { fakeClock } from "../support/clock.ts";

const HANG_GUARD_MS = 180_000;
const TENANTS = ["t1", "t2"] as const;
const COLLECTIONS = ["a", "b"] as const;
const FLEETS = [null, "red", "blue"] as const;

const key = fc.record({
  tenant_id: fc.constantFrom(...TENANTS),
  collection: fc.constantFrom(...COLLECTIONS),
  doc_id: fc.constantFrom("x", "y", "z/1"),
});
/** Values that are easily taken for one another. */
const scalar: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue[]>(
  ...[null, true, false, 0, 1, -0, 1.5, 1e21, "", "1", "true", "null", "[1]", "é", "e\u0301"],
);
const value: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom("p", "q", "r"), scalar, { noNullPrototype: true }) },
  { weight: 1, arbitrary: fc.string({ minLength: 190, maxLength: 210 }) },
);
const data: fc.Arbitrary<JsonObject> = fc.dictionary(fc.constantFrom("m", "n", "", "a.b", "constructor"), value, {
  maxKeys: 3,
  noNullPrototype: true,
});
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("put" as const), key, data, fleet: fc.constantFrom(...FLEETS) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("tick" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What equality of JSON values means, written down apart from the code under test. */
function same(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a === null || b === null) return false;
  if (typeof a !== "object" || typeof b !== "object" || Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return (
    left.size === right.size && [...left].every(([name, member]) => right.has(name) && same(member, right.get(name)))
  );
}

interface Modelled {
  readonly document: StoredDocument;
  /** Counts the changes of an instant; the row that was made later comes first among those of one instant. */
  readonly born: number;
}
type Model = Map<string, Modelled>;
const nameOf = ({ tenant_id, collection, doc_id }: { tenant_id: string; collection: string; doc_id: string }): string =>
  JSON.stringify([tenant_id, collection, doc_id]);

function inspect(model: Model, tenant_id: string) {
  const rows = [...model.values()].filter(({ document }) => document.tenant_id === tenant_id);
  const newest = (a: Modelled, b: Modelled) =>
    b.document.updated_at.localeCompare(a.document.updated_at) || b.born - a.born;
  const documents = rows.sort(newest).map(({ document }) => document);
  return {
    list: (collection: string, fleet_id: string | undefined, where: JsonObject) =>
      documents.filter(
        (one) =>
          one.collection === collection &&
          (fleet_id === undefined || one.fleet_id === fleet_id) &&
          Object.entries(where).every(
            ([name, wanted]) => Object.hasOwn(one.data, name) && same(one.data[name], wanted),
          ),
      ),
    collections: (fleet_id: string | null) => {
      const counted = documents.filter((one) => fleet_id === null || one.fleet_id === fleet_id);
      const groups = [...Map.groupBy(counted, ({ collection }) => collection)];
      return groups.map(([name, all]) => ({ name, count: all.length })).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

async function play(steps: readonly Step[], check: (model: Model, store: ReturnType<typeof open>) => Promise<void>) {
  const clock = fakeClock();
  const storage = open(clock);
  const model: Model = new Map();
  let born = 0;
  for (const one of steps) {
    if (one.kind === "tick") clock.advance(1);
    if (one.kind === "remove") {
      const removed = await storage.documents.remove(one.key, ACTOR, () => "document.delete");
      expect(removed).toBe(model.delete(nameOf(one.key)));
    }
    if (one.kind === "put") {
      const known = model.get(nameOf(one.key));
      const change = aChange(one.data, { fleet_id: one.fleet });
      const { before, after } = await storage.documents.upsert(one.key, ACTOR, () => change);
      expect(before).toEqual(known?.document ?? null);
      if (known) expect([after.id, after.created_at]).toEqual([known.document.id, known.document.created_at]);
      expect(after).toMatchObject({ ...one.key, fleet_id: one.fleet, updated_at: new Date(clock.now()).toISOString() });
      // JSON has no negative zero.
      expect(after.data).toEqual(JSON.parse(JSON.stringify(one.data)));
      model.set(nameOf(one.key), { document: after, born: known?.born ?? ++born });
    }
  }
  await check(model, storage);
  await storage.close();
}
const open = (clock = fakeClock()) =>
  openSqlite({
    folder: null,
    clock,
    log: silentLogger,
    space: SPACE,
    textOf: searchableText,
    policies: storagePolicies,
    cacheDir: tmpdir(),
  });

test(
  "any sequence of writes and deletes leaves what a plain map would hold, however it is looked at",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.array(data, { maxLength: 4 }), async (steps, probes) => {
        await play(steps, async (model, { documents }) => {
          // What was written finds something; parts of it find more.
          const wanted = [...model.values()].flatMap(({ document }) => [document.data, firstMember(document.data)]);
          for (const tenant_id of TENANTS) {
            const expected = inspect(model, tenant_id);
            for (const fleet_id of FLEETS)
              expect(await documents.collections(tenant_id, fleet_id)).toEqual(expected.collections(fleet_id));
            for (const { collection, fleet_id, where } of looks([{}, ...wanted, ...probes])) {
              const filter = { tenant_id, collection, fleet_id, where };
              const found = await documents.list({ filter, order: "desc", offset: 0, limit: 100 });
              expect(found).toEqual(expected.list(collection, fleet_id, where));
            }
          }
          for (const { document } of model.values()) {
            expect(await documents.get(document)).toEqual(document);
            expect(await documents.get({ ...document, doc_id: document.id })).toEqual(document);
          }
        });
      }),
      { numRuns: 60 },
    );
  },
  HANG_GUARD_MS,
);

const looks = (wheres: readonly JsonObject[]) =>
  COLLECTIONS.flatMap((collection) =>
    [undefined, "red"].flatMap((fleet_id) => wheres.map((where) => ({ collection, fleet_id, where }))),
  );

const firstMember = (all: JsonObject): JsonObject => Object.fromEntries(Object.entries(all).slice(0, 1));

const rankOf = (one: JsonValue): number => {
  if (one === null) return 0;
  if (typeof one === "boolean") return one ? 2 : 1;
  return typeof one === "number" ? 3 : 4;
};

test(
  "order_by puts types in their order, numbers by size and texts by code point, whichever the direction",
  async () => {
    const values = fc.array(fc.oneof(scalar, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string()), {
      maxLength: 15,
    });
    await fc.assert(
      fc.asyncProperty(values, fc.constantFrom("asc" as const, "desc" as const), async (all, order) => {
        const storage = open();
        for (const [i, v] of all.entries())
          await storage.documents.upsert({ tenant_id: "t", collection: "c", doc_id: `${i}` }, ACTOR, () =>
            aChange({ v }),
          );
        await storage.documents.upsert({ tenant_id: "t", collection: "c", doc_id: "without" }, ACTOR, () =>
          aChange({}),
        );
        const filter = { tenant_id: "t", collection: "c" };
        const found = await storage.documents.list({ filter, order_by: "v", order, offset: 0, limit: 100 });
        expect(found.at(-1)?.doc_id).toBe("without");
        expect(found).toHaveLength(all.length + 1);
        const sorted = found.slice(0, -1).map((one) => one.data.v ?? null);
        for (const [i, later] of sorted.entries()) {
          const earlier = sorted[i - 1];
          if (earlier !== undefined) expect(inOrder(earlier, later) * (order === "asc" ? 1 : -1)).not.toBe(1);
        }
        await storage.close();
      }),
      { numRuns: 60 },
    );
  },
  HANG_GUARD_MS,
);

/** Negative when `a` goes before `b`, by the rule written down anew. */
function inOrder(a: JsonValue, b: JsonValue): -1 | 0 | 1 {
  const [x, y] =
    typeof a === "string" && typeof b === "string"
      ? [Buffer.compare(Buffer.from(a), Buffer.from(b)), 0]
      : typeof a === "number" && typeof b === "number"
        ? [a, b]
        : [rankOf(a), rankOf(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

const tree = fc.letrec<{ tree: JsonObject; leaf: JsonValue }>((tie) => ({
  leaf: fc.oneof({ maxDepth: 3 }, scalar, fc.array(scalar, { maxLength: 2 }), tie("tree")),
  tree: fc.dictionary(fc.constantFrom("p", "q", "constructor"), tie("leaf"), { maxKeys: 3, noNullPrototype: true }),
})).tree;

test("a deep merge done twice is done once, keeps what the patch leaves out, and changes neither side", () => {
  fc.assert(
    fc.property(tree, tree, (base, patch) => {
      const [baseText, patchText] = [JSON.stringify(base), JSON.stringify(patch)];
      const once = mergeDeep(base, patch);
      expect(mergeDeep(once, patch)).toEqual(once);
      expect(mergeDeep(base, {})).toEqual(base);
      expect(mergeDeep({}, patch)).toEqual(patch);
      for (const name of Object.keys(base))
        if (!Object.hasOwn(patch, name)) expect(once[name]).toEqual(base[name] ?? null);
      expect([JSON.stringify(base), JSON.stringify(patch)]).toEqual([baseText, patchText]);
    }),
  );
});
