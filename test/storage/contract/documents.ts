import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/kernel/json.ts";
import type {
  DocumentChange,
  DocumentHitQuery,
  DocumentKey,
  DocumentPage,
} from "../../../src/core/ports/document-store.ts";
import { ACTOR, aVector, SPACE, TENANT } from "../../support/builders.ts";
import type { Subject } from "../subject.ts";
import { asked } from "../subject.ts";

const KEY: DocumentKey = { tenant_id: TENANT, collection: "books", doc_id: "one" };

/** A change that stores `data`; with a summary it is searchable, by vector once it has one. */
export const aChange = (data: JsonObject, fields: Partial<DocumentChange> = {}): DocumentChange => ({
  fleet_id: null,
  data,
  searchable: null,
  vector: null,
  embedded_by: null,
  action: "document.write",
  jobsFor: () => [],
  ...fields,
});
const searchable = (summary: string, vector: Float32Array | null = null): Partial<DocumentChange> => ({
  searchable: { summary, text: summary },
  vector,
  embedded_by: vector && SPACE.id,
});

export function describeDocuments(subject: Subject): void {
  const put = (key: Partial<DocumentKey>, data: JsonObject, fields?: Partial<DocumentChange>) =>
    subject.storage.documents.upsert({ ...KEY, ...key }, ACTOR, () => aChange(data, fields));
  const list = async (page: Partial<DocumentPage> = {}) => {
    const filter = { tenant_id: TENANT, collection: "books", ...page.filter };
    const rows = await subject.storage.documents.list({ order: "asc", offset: 0, limit: 100, ...page, filter });
    return rows.map(({ doc_id }) => doc_id);
  };
  const hits = async (query: Partial<DocumentHitQuery>) => {
    const all = { tenant_id: TENANT, vector: null, words: [], pool: 50 };
    const found = await subject.storage.documents.hits({ ...all, ...query });
    return found.hits.map(({ document }) => document.doc_id).sort();
  };
  const actions = async () => {
    const items = await subject.storage.audit.list({ tenant_id: TENANT, limit: 100 });
    return items.map(({ action, target_id }) => `${action} ${target_id}`).toReversed();
  };

  describe("documents", () => {
    test("are created, replaced under their key with id and time of creation kept, and shown before and after", async () => {
      const first = await put({}, { a: 1 }, { fleet_id: "red" });
      subject.clock.advance(1_000);
      const second = await put({}, { b: 2 });
      expect(first.before).toBeNull();
      expect(second.before).toEqual(first.after);
      const { id, created_at } = first.after;
      expect(second.after).toMatchObject({ id, created_at, data: { b: 2 }, fleet_id: null });
      expect(second.after.updated_at > created_at).toBe(true);
      expect(await subject.storage.documents.get(KEY)).toEqual(second.after);
      expect(await actions()).toEqual(["document.write books/one", "document.write books/one"]);
    });

    test("whose write is refused stay as they are, without an audit row", async () => {
      const { after } = await put({}, { a: 1 });
      const refuse = (): never => {
        throw new Error("refused");
      };
      expect(subject.storage.documents.upsert(KEY, ACTOR, refuse)).rejects.toThrow("refused");
      expect(subject.storage.documents.remove(KEY, ACTOR, refuse)).rejects.toThrow("refused");
      expect(await subject.storage.documents.get(KEY)).toEqual(after);
      expect(await actions()).toHaveLength(1);
    });

    test("are removed by key or id, under the action that decided so, and leave nothing", async () => {
      const { after } = await put({}, { kind: "novel" }, searchable("A heron", aVector(0)));
      expect(await subject.storage.documents.remove({ ...KEY, doc_id: after.id }, ACTOR, () => "rule.delete")).toBe(
        true,
      );
      expect(await subject.storage.documents.remove(KEY, ACTOR, () => "rule.delete")).toBe(false);
      expect(await subject.storage.documents.get(KEY)).toBeNull();
      expect(await list({ filter: { tenant_id: TENANT, collection: "books", where: { kind: "novel" } } })).toEqual([]);
      expect(await hits({ words: ["heron"], vector: asked(aVector(0)) })).toEqual([]);
      expect(await subject.storage.documents.collections(TENANT, null)).toEqual([]);
      expect(await actions()).toEqual(["document.write books/one", "rule.delete books/one"]);
    });

    test("are listed newest change first, the later write first within one instant", async () => {
      for (const doc_id of ["a", "b", "c"]) await put({ doc_id }, {});
      subject.clock.advance(1);
      await put({ doc_id: "b" }, {});
      expect(await list()).toEqual(["b", "c", "a"]);
      expect(await list({ offset: 1, limit: 1 })).toEqual(["c"]);
    });

    test("are listed without the members that are left out, whatever these are called", async () => {
      await put({}, { kind: "novel", "a.b $": "long", text: "long", tags: ["x"] });
      const filter = { tenant_id: TENANT, collection: "books" };
      const page = { filter, order: "asc", order_by: "kind", offset: 0, limit: 10 } as const;
      const [found] = await subject.storage.documents.list({ ...page, without: ["text", "a.b $", "absent"] });
      expect(found?.data).toEqual({ kind: "novel", tags: ["x"] });
    });

    test("are counted by collection, of one fleet if named", async () => {
      await put({}, {}, { fleet_id: "red" });
      await put({ doc_id: "two" }, {});
      await put({ collection: "Zoo" }, {}, { fleet_id: "red" });
      await put({ tenant_id: "acme" }, {}, { fleet_id: "red" });
      const { collections } = subject.storage.documents;
      const [zoo, books] = [{ name: "Zoo", count: 1 }, (count: number) => ({ name: "books", count })];
      expect(await collections(TENANT, null)).toEqual([zoo, books(2)]);
      expect(await collections(TENANT, "red")).toEqual([zoo, books(1)]);
      await put({}, {}, { fleet_id: "blue" });
      expect(await collections(TENANT, "red")).toEqual([zoo]);
    });

    test("queue the jobs their write asks for, after the row that they speak of", async () => {
      const jobsFor: DocumentChange["jobsFor"] = ({ id, tenant_id }) => [
        { kind: "embed_documents", payload: { tenant_id, ids: [id] } },
      ];
      const { after } = await put({}, {}, { ...searchable("A heron"), jobsFor });
      expect(await subject.storage.jobs.claim(subject.clock.now(), 1)).toMatchObject({
        job: { kind: "embed_documents", payload: { tenant_id: TENANT, ids: [after.id] } },
      });
    });
  });

  describe("a search of documents", () => {
    test("finds by either leg, with the exact cosine, what lies within tenant, collection and fleet", async () => {
      await put({ doc_id: "both" }, {}, { ...searchable("The egret wades", aVector(10)), fleet_id: "red" });
      await put({ doc_id: "word" }, {}, searchable("An egret alone"));
      await put({ doc_id: "near" }, {}, searchable("Nothing of the kind", aVector(20)));
      await put({ doc_id: "other", collection: "films" }, {}, searchable("An egret on film", aVector(0)));
      await put({ doc_id: "theirs", tenant_id: "acme" }, {}, searchable("Their egret", aVector(0)));
      const query = { words: ["egret"], vector: asked(aVector(0)) };
      expect(await hits(query)).toEqual(["both", "near", "other", "word"]);
      expect(await hits({ ...query, collection: "books" })).toEqual(["both", "near", "word"]);
      expect(await hits({ ...query, collection: "unheard-of" })).toEqual([]);
      expect(await hits({ ...query, fleet_id: "red" })).toEqual(["both"]);
      expect(await hits({ ...query, vector: { embedder_id: "another", values: aVector(0) } })).toEqual([
        "both",
        "other",
        "word",
      ]);
      const found = await subject.storage.documents.hits({ tenant_id: TENANT, pool: 9, ...query, collection: "books" });
      const signals = new Map(found.hits.map((hit) => [hit.document.doc_id, hit]));
      expect(signals.get("both")?.vec_sim).toBeCloseTo(Math.cos(Math.PI / 18), 5);
      expect(signals.get("word")).toMatchObject({ vec_sim: null, own_words: 1 });
      expect(signals.get("near")).toMatchObject({ own_words: 0 });
    });

    test("finds what lies behind a crowd of another fleet or collection, by words and by meaning", async () => {
      for (let i = 0; i < 60; i++)
        await put({ doc_id: `crowd-${i}` }, {}, { ...searchable(`Jackdaw ${i}`, aVector(1)), fleet_id: "many" });
      const wanted = { ...searchable("The wanted jackdaw", aVector(80)), fleet_id: "few" };
      await put({ doc_id: "wanted", collection: "few" }, {}, wanted);
      for (const filter of [{ fleet_id: "few" }, { collection: "few" }]) {
        expect(await hits({ ...filter, words: ["jackdaw"], pool: 10 })).toEqual(["wanted"]);
        expect(await hits({ ...filter, vector: asked(aVector(0)), pool: 10 })).toEqual(["wanted"]);
      }
    });

    test("tells rare words from common ones, and counts those that no document holds", async () => {
      for (let i = 0; i < 5; i++) await put({ doc_id: `d${i}` }, {}, searchable(i === 0 ? "swan song" : `swan ${i}`));
      const words = ["swan", "song", "absent", "missing"];
      const found = await subject.storage.documents.hits({ tenant_id: TENANT, vector: null, words, pool: 9 });
      const [swan = 0, song = 0, ...others] = found.words.map(({ weight }) => weight);
      expect(song).toBeGreaterThan(swan);
      expect(others).toEqual([0, 0]);
      expect(found.absent).toBe(2);
    });

    test("finds words of a small collection behind a large one that is full of them", async () => {
      await put({ doc_id: "own" }, {}, searchable("A heron"));
      for (let i = 0; i < 260; i++)
        await put({ collection: "films", doc_id: `${i}` }, {}, searchable("A heron on film"));
      expect(await hits({ collection: "books", words: ["heron"], pool: 10 })).toEqual(["own"]);
    });

    test("finds words and members of any length", async () => {
      const digits = Array.from({ length: 2_000 }, (_, i) => Bun.hash(`${i}`).toString(36)).join("");
      await put({}, { [digits]: digits, kind: "novel" }, searchable(`A heron ${digits}`));
      await put({ doc_id: "two" }, { [digits]: "other" }, searchable("An egret"));
      expect(await hits({ words: [digits] })).toEqual(["one"]);
      const filter = { tenant_id: TENANT, collection: "books", where: { [digits]: digits } };
      expect(await list({ filter })).toEqual(["one"]);
    });

    test("knows nothing any more of what a write took away", async () => {
      await put({}, {}, searchable("The first heron", aVector(0)));
      await put({}, {}, searchable("The second egret", aVector(90)));
      expect(await hits({ words: ["heron"] })).toEqual([]);
      expect(await hits({ words: ["egret"] })).toEqual(["one"]);
      await put({}, {});
      expect(await hits({ words: ["egret"], vector: asked(aVector(90)) })).toEqual([]);
    });
  });

  describe("a vector that comes later", () => {
    const pending = (ids: readonly string[]) => subject.storage.documents.pending(TENANT, ids, SPACE.id);

    test("is filled in, and the document waits no longer", async () => {
      const { after } = await put({}, {}, searchable("A heron"));
      const silent = await put({ doc_id: "silent" }, {});
      expect((await pending([after.id, silent.after.id])).map(({ doc_id }) => doc_id)).toEqual(["one"]);
      const vector = { id: after.id, summary: "A heron", vector: aVector(0) };
      await subject.storage.documents.fillVectors(TENANT, [vector]);
      await subject.storage.documents.fillVectors(TENANT, [vector]);
      expect(await pending([after.id])).toEqual([]);
      expect(await hits({ vector: asked(aVector(0)) })).toEqual(["one"]);
    });

    test("of a summary that changed meanwhile, of no summary, or of another tenant is left out", async () => {
      const { after } = await put({}, {}, searchable("A heron"));
      await put({}, {}, searchable("An egret"));
      const { fillVectors } = subject.storage.documents;
      await fillVectors(TENANT, [{ id: after.id, summary: "A heron", vector: aVector(0) }]);
      await fillVectors("acme", [{ id: after.id, summary: "An egret", vector: aVector(0) }]);
      expect(await hits({ vector: asked(aVector(0)) })).toEqual([]);
      expect(await pending([after.id])).toHaveLength(1);
      await put({}, {});
      expect(await pending([after.id])).toEqual([]);
    });
  });

  describe("settings", () => {
    test("belong to a tenant, and a refused change leaves them as they are", async () => {
      const { settings } = subject.storage;
      expect(await settings.get(TENANT)).toEqual({});
      expect(await settings.change(TENANT, ACTOR, (tree) => ({ ...tree, a: 1 }))).toEqual({ a: 1 });
      await settings.change(TENANT, ACTOR, (tree) => ({ ...tree, b: { c: [2] } }));
      const refuse = (): never => {
        throw new Error("refused");
      };
      expect(settings.change(TENANT, ACTOR, refuse)).rejects.toThrow("refused");
      expect(await settings.get(TENANT)).toEqual({ a: 1, b: { c: [2] } });
      expect(await settings.get("acme")).toEqual({});
      expect(await actions()).toEqual([`settings.change ${TENANT}`, `settings.change ${TENANT}`]);
    });
  });
}
