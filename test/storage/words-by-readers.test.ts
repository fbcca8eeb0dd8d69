import { afterEach, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import fc from "fast-check";
import { readPostings } from "../../src/storage/common/postings.ts";
import type { Connections } from "../../src/storage/sqlite/engine/connection.ts";
import { connect } from "../../src/storage/sqlite/engine/connection.ts";
import { vectorExtensionPath } from "../../src/storage/sqlite/engine/vector-extension.ts";
import { migrations } from "../../src/storage/sqlite/migrations/all.ts";
import { migrate } from "../../src/storage/sqlite/migrations/migrate.ts";
import { wordsByReaders } from "../../src/storage/sqlite/migrations/words-by-readers.ts";
import { putWords, removeWords } from "../../src/storage/sqlite/search/keyword-index.ts";
import { readableRows } from "../../src/storage/sqlite/search/readable-rows.ts";
import { wordLookup } from "../../src/storage/sqlite/search/word-rows.ts";
import { SPACE, TENANT } from "../support/builders.ts";

let db: Connections;
afterEach(() => db.close());

const STEPS = migrations(SPACE);
const steps = (upTo: number) => STEPS.slice(0, upTo);

function open(upTo = STEPS.length): void {
  db = connect(null, vectorExtensionPath(tmpdir()));
  migrate(db.writeConnection, steps(upTo));
  db.writeConnection.exec(`
    insert into agents (tenant_id, agent_id, created_at, updated_at) values ('${TENANT}', 'ada', '', '');
    insert into audiences (tenant_id, kind, owner) values
      ('${TENANT}', 'scope_team', ''), ('${TENANT}', 'scope_agent', 'ada'), ('other', 'scope_team', ''),
      ('${TENANT}', 'scope_team', 'red'), ('${TENANT}', 'scope_org', '')`);
}

const AUDIENCES = [
  { audience: 1, visibility: "scope_team" },
  { audience: 2, visibility: "scope_agent" },
  { audience: 3, visibility: "scope_team" },
  { audience: 4, visibility: "scope_team" },
  { audience: 5, visibility: "scope_org" },
] as const;
type Owner = (typeof AUDIENCES)[number];

let ids = 0;
function insert({ audience, visibility }: Owner, content: string): number {
  const { lastInsertRowid } = db.writeConnection
    .query(`insert into memories (id, tenant_id, agent_id, author, audience, memory_type, content, weight, entity_links,
      content_hash, created_at, status, visibility, recall_count) values (?, '${TENANT}', 'ada', 1, ?, 'fact', ?, 1, '[]', ?, '', 'active', ?, 0)`)
    .run(`id ${++ids}`, audience, content, `hash ${ids}`, visibility);
  return Number(lastInsertRowid);
}

const found = (word: string, fleets: string[], agent_id: string | null = null) => {
  const rows = readableRows(db, { tenant_id: TENANT, read_scope: { tenant_id: TENANT, agent_id, fleets } });
  const { heaviest, total } = readPostings(wordLookup(db, "memory_words", rows), [word], rows.total);
  return { rows: [...heaviest()], total };
};

test("a file of before is found by its words, each row by its readers", () => {
  open(STEPS.indexOf(wordsByReaders));
  const seqs = AUDIENCES.map((owner) => insert(owner, "A capercaillie, ﬁne and ＷＩＤＥ."));
  for (const seq of seqs)
    db.writeConnection.exec(`insert into memory_words (rowid, content) values (${seq}, 'capercaillie')`);
  migrate(db.writeConnection, STEPS);
  const [team, own, , red, org] = seqs.map(Number);
  expect(found("capercaillie", [])).toEqual({ rows: [org ?? 0, team ?? 0], total: 2 });
  expect(found("wide", ["red"])).toEqual({ rows: [org ?? 0, red ?? 0, team ?? 0], total: 3 });
  expect(found("fine", ["red"], "ada")).toEqual({ rows: [org ?? 0, red ?? 0, own ?? 0, team ?? 0], total: 4 });
});

const owner = fc.constantFrom(...AUDIENCES);
const deed = fc.oneof(
  fc.record({ kind: fc.constant("insert" as const), owner }),
  fc.record({ kind: fc.constant("move" as const), owner, nth: fc.nat(9) }),
  fc.record({ kind: fc.constantFrom("delete" as const, "restore" as const, "erase" as const), nth: fc.nat(9) }),
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

const TEXT = { title: null, content: "quokka" };
const CHANGES = {
  delete: "update memories set deleted_at = 'now'",
  restore: "update memories set deleted_at = null",
  erase: "delete from memories",
} as const;

function act(one: Deed, seqs: number[]): void {
  if (one.kind === "insert") {
    const seq = insert(one.owner, TEXT.content);
    putWords(db, { ...TEXT, seq });
    seqs.push(seq);
    return;
  }
  const seq = seqs[one.nth];
  if (seq === undefined) return;
  removeWords(db, seq);
  const change =
    one.kind === "move"
      ? `update memories set audience = ${one.owner.audience}, visibility = '${one.owner.visibility}'`
      : CHANGES[one.kind];
  db.writeConnection.exec(`${change} where seq = ${seq}`);
  const isLive =
    db.writeConnection.query("select 1 from memories where seq = ? and deleted_at is null").get(seq) !== null;
  if (isLive) putWords(db, { ...TEXT, seq });
}

function liveOf(audiences: readonly number[]): number[] {
  const of = `audience in (${audiences.join()})`;
  const rows = db.writeConnection.query<{ seq: number }, []>(
    `select seq from memories where deleted_at is null and ${of} order by seq desc`,
  );
  return rows.all().map(({ seq }) => seq);
}

test("words and counts follow rows through whatever moves, removes and restores them", () => {
  open();
  const property = fc.property(fc.array(deed, { maxLength: 30 }), (deeds) => {
    db.writeConnection.exec("delete from memories; insert into memory_words (memory_words) values ('delete-all')");
    const seqs: number[] = [];
    for (const one of deeds) act(one, seqs);
    for (const [fleets, audiences] of [
      [[], [1, 2, 5]],
      [["red"], [1, 2, 4, 5]],
    ] as const) {
      const rows = liveOf(audiences);
      expect(found("quokka", [...fleets], "ada")).toEqual({ rows, total: rows.length });
    }
    db.writeConnection.exec("insert into memory_words (memory_words) values ('integrity-check')");
  });
  fc.assert(property, { numRuns: 60 });
});
