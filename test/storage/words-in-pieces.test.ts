import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "../../src/core/kernel/log.ts";
import { searchableText } from "../../src/documents/searchable.ts";
import { storagePolicies } from "../../src/startup/storage-policies.ts";
import { readPostings } from "../../src/storage/common/postings.ts";
import type { Connections } from "../../src/storage/sqlite/engine/connection.ts";
import { connect } from "../../src/storage/sqlite/engine/connection.ts";
import { DATA_FILE } from "../../src/storage/sqlite/engine/folder-files.ts";
import { vectorExtensionPath } from "../../src/storage/sqlite/engine/vector-extension.ts";
import { migrations } from "../../src/storage/sqlite/migrations/all.ts";
import { migrate } from "../../src/storage/sqlite/migrations/migrate.ts";
import { openSqlite } from "../../src/storage/sqlite/open.ts";
import { WHOLE_INDEX, wordLookup } from "../../src/storage/sqlite/search/word-rows.ts";
import { fold } from "../../src/text/words/letters.ts";
import { temporaryFolder } from "../support/app.ts";
import { SPACE, TENANT } from "../support/builders.ts";
import { fakeClock } from "../support/clock.ts";

const STEPS = migrations(SPACE, searchableText);
/** How many steps a file has seen that still holds each run of letters as one word. */
const WHOLE_RUNS = 17;

/** A file as the Cairn before wrote it: the words of its rows stand in the index as they were folded. */
function writeOld(file: string): Connections {
  const db = connect(file, vectorExtensionPath(tmpdir()));
  migrate(db.writeConnection, STEPS.slice(0, WHOLE_RUNS));
  db.writeConnection.exec(`
    insert into agents (tenant_id, agent_id, created_at, updated_at) values ('${TENANT}', 'ada', '', '');
    insert into audiences (tenant_id, kind, owner) values ('${TENANT}', 'scope_team', '');`);
  for (const [i, content] of CONTENTS.entries()) {
    db.writeConnection
      .query(`insert into memories (id, tenant_id, agent_id, author, audience, memory_type, content, weight, entity_links,
        content_hash, created_at, status, visibility, recall_count)
        values (?, '${TENANT}', 'ada', 1, 1, 'fact', ?, 1, '[]', ?, '', 'active', 'scope_team', 0)`)
      .run(`id ${i}`, content, `hash ${i}`);
    db.writeConnection
      .query(
        "insert into memory_words (rowid, title, content) select words_row, '', ? from memories where content_hash = ?",
      )
      .run(fold(content), `hash ${i}`);
  }
  for (const [i, summary] of SUMMARIES.entries()) {
    const { lastInsertRowid } = db.writeConnection
      .query(`insert into documents (id, tenant_id, collection, doc_id, data, summary, created_at, updated_at)
        values (?, '${TENANT}', 'notes', ?, ?, ?, '', '')`)
      .run(`id ${i}`, `note-${i}`, JSON.stringify({ summary }), summary);
    db.writeConnection
      .query("insert into document_words (rowid, summary, text) values (?, ?, ?)")
      .run(lastInsertRowid, fold(summary), fold(summary));
  }
  return db;
}

const CONTENTS = [
  "我们把数据库搬到了新加坡。",
  "A capercaillie in the Straße.",
  "打ち合わせは毎週木曜日の午後です。",
  "A plain quokka.",
];
const SUMMARIES = ["发票由财务部门每月寄出。", "An okapi.", "請求書は月末に送る。"];

test("a folder of before is found by the words within its runs", async () => {
  const folder = temporaryFolder();
  const old = writeOld(join(folder.path, DATA_FILE));
  const lookup = wordLookup(old, "memory_words", { ranges: [WHOLE_INDEX], total: 4 });
  const whole = readPostings(lookup, ["新加", "strasse"], 4);
  expect(whole.absent).toBe(2);
  await old.close();

  const { memories, documents, indexes, close } = openSqlite({
    folder: folder.path,
    clock: fakeClock(),
    log: silentLogger,
    space: SPACE,
    textOf: searchableText,
    policies: storagePolicies,
    cacheDir: tmpdir(),
  });
  const filter = { tenant_id: TENANT, read_scope: { tenant_id: TENANT, agent_id: null, fleets: [] } };
  for (const [word, content] of [
    ["新加", 0],
    ["坡", 0],
    ["strasse", 1],
    ["capercaillie", 1],
    ["木曜", 2],
    ["quokka", 3],
  ] as const) {
    const { hits } = await memories.hits({ filter, vector: null, words: [word], pool: 9 });
    expect(hits.map(({ memory }) => memory.content)).toEqual([CONTENTS[content] ?? ""]);
  }
  for (const [word, doc_id] of [
    ["财务", "note-0"],
    ["okapi", "note-1"],
    ["求书", "note-2"],
  ] as const) {
    const scope = { tenant_id: TENANT, collection: undefined, fleet_id: undefined, skill_visibility: null };
    const { hits } = await documents.hits({ ...scope, vector: null, words: [word], pool: 9 });
    expect(hits.map(({ document }) => document.doc_id)).toEqual([doc_id]);
  }
  const { checks } = await indexes.inspect(null, () => {});
  const wordChecks = checks.filter(({ name }) => name.endsWith("keywords"));
  expect(wordChecks.map(({ ok }) => ok)).toEqual([true, true]);
  await close();
  folder.remove();
});
