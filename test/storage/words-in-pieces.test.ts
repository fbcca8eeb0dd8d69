import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { searchableText } from "../../src/documents/searchable.ts";
import { fold } from "../../src/kernel/words.ts";
import type { Connections } from "../../src/storage/sqlite/connection.ts";
import { connect } from "../../src/storage/sqlite/connection.ts";
import { vectorExtensionPath } from "../../src/storage/sqlite/extension.ts";
import { migrate } from "../../src/storage/sqlite/migrate.ts";
import { migrations } from "../../src/storage/sqlite/migrations.ts";
import type { WordTable } from "../../src/storage/sqlite/postings.ts";
import { readPostings, WHOLE_INDEX } from "../../src/storage/sqlite/postings.ts";
import { SPACE, TENANT } from "../support/builders.ts";

const STEPS = migrations(SPACE, searchableText);
/** How many steps a file has seen that still holds each run of letters as one word. */
const WHOLE_RUNS = 17;

/** A file as the Cairn before wrote it: the words of its rows stand in the index as they were folded. */
function openOld(contents: readonly string[], summaries: readonly string[]): Connections {
  const at = connect(null, vectorExtensionPath(tmpdir()));
  migrate(at.writer, STEPS.slice(0, WHOLE_RUNS));
  at.writer.exec(`
    insert into agents (tenant_id, agent_id, created_at, updated_at) values ('${TENANT}', 'ada', '', '');
    insert into audiences (tenant_id, kind, owner) values ('${TENANT}', 'scope_team', '');`);
  for (const [i, content] of contents.entries()) {
    at.writer
      .query(`insert into memories (id, tenant_id, agent_id, author, audience, memory_type, content, weight, entity_links,
        content_hash, created_at, status, visibility, recall_count)
        values (?, '${TENANT}', 'ada', 1, 1, 'fact', ?, 1, '[]', ?, '', 'active', 'scope_team', 0)`)
      .run(`id ${i}`, content, `hash ${i}`);
    at.writer
      .query(
        "insert into memory_words (rowid, title, content) select words_row, '', ? from memories where content_hash = ?",
      )
      .run(fold(content), `hash ${i}`);
  }
  for (const [i, summary] of summaries.entries()) {
    const { lastInsertRowid } = at.writer
      .query(`insert into documents (id, tenant_id, collection, doc_id, data, summary, created_at, updated_at)
        values (?, '${TENANT}', 'notes', ?, ?, ?, '', '')`)
      .run(`id ${i}`, `note-${i}`, JSON.stringify({ summary }), summary);
    at.writer
      .query("insert into document_words (rowid, summary, text) values (?, ?, ?)")
      .run(lastInsertRowid, fold(summary), fold(summary));
  }
  return at;
}

const found = (at: Connections, table: WordTable, word: string) => [
  ...readPostings(at, table, [word], { ranges: [WHOLE_INDEX], total: 4 }).wordsOf.keys(),
];

test("a file of before is found by the words within its runs", () => {
  const at = openOld(
    [
      "我们把数据库搬到了新加坡。",
      "A capercaillie in the Straße.",
      "打ち合わせは毎週木曜日の午後です。",
      "A plain quokka.",
    ],
    ["发票由财务部门每月寄出。", "An okapi.", "請求書は月末に送る。"],
  );
  expect(found(at, "memory_words", "新加")).toEqual([]);
  migrate(at.writer, STEPS);
  expect(found(at, "memory_words", "新加")).toEqual([1]);
  expect(found(at, "memory_words", "strasse")).toEqual([2]);
  expect(found(at, "memory_words", "capercaillie")).toEqual([2]);
  expect(found(at, "memory_words", "木曜")).toEqual([3]);
  expect(found(at, "memory_words", "坡")).toEqual([1]);
  expect(found(at, "memory_words", "quokka")).toEqual([4]);
  expect(found(at, "document_words", "财务")).toEqual([1]);
  expect(found(at, "document_words", "okapi")).toEqual([2]);
  expect(found(at, "document_words", "求書")).toEqual([3]);
  for (const table of ["memory_words", "document_words"]) {
    at.writer.exec(`insert into ${table} (${table}) values ('integrity-check')`);
  }
  at.close();
});
