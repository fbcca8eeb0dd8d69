import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { wordsOfLanguages as postgresStep } from "../../../src/storage/postgres/migrations/words-of-languages.ts";
import { DATA_FILE } from "../../../src/storage/sqlite/engine/folder-files.ts";
import { wordsOfLanguages } from "../../../src/storage/sqlite/migrations/after-0.1.0/words-of-languages.ts";
import { fold } from "../../../src/text/words/letters.ts";
import { documentsApi } from "../../support/api/documents.ts";
import { memoriesApi } from "../../support/api/memories.ts";
import { temporaryFolder } from "../../support/app.ts";
import type { InProcess } from "../../support/in-process.ts";
import { openApp } from "../../support/in-process.ts";
import { openPostgresApp } from "../../support/postgres/app.ts";
import { isPostgres } from "../../support/postgres/engine.ts";

const CONTENTS = [
  "Die Produktionsdatenbank läuft in Frankfurt.",
  "發票由財務部門每月寄出。",
  "Ship it on Friday 🚀 and tell Wanda.",
  "Сервер базы данных стоит в подвале.",
  "A plain quokka eats leaves.",
];
const HANG_GUARD_MS = 120_000;
const SUMMARY = "Die Lohnabrechnung macht Frau Weiß.";
const ASKED = [
  ["Datenbanken", 0],
  ["发票", 1],
  ["🚀", 2],
  ["серверы", 3],
  ["quokkas", 4],
] as const;

async function write({ client, settle }: InProcess): Promise<void> {
  for (const content of CONTENTS) await memoriesApi(client).write({ content });
  await documentsApi(client).put("notizen", "eins", { summary: SUMMARY });
  await settle();
}

/** What the words alone find first, and how much of the question it holds. */
async function firstOf({ client }: InProcess, query: string): Promise<string | undefined> {
  const { items } = await memoriesApi(client).search(query);
  const held = items.filter(({ score_parts }) => (score_parts?.fts_score ?? 0) > 0);
  return held[0]?.content;
}

async function expectFound(opened: InProcess): Promise<void> {
  for (const [query, content] of ASKED)
    expect([query, await firstOf(opened, query)]).toEqual([query, CONTENTS[content]]);
  const { items } = await documentsApi(opened.client).search("Abrechnungen", { collection: "notizen" });
  expect(items[0]?.score).toBeGreaterThan(0.5);
}

test.skipIf(isPostgres)(
  "a folder of before is worded anew by a job: nobody waits for it, and nothing is lost",
  async () => {
    const folder = temporaryFolder();
    const before = await openApp({ folder: folder.path });
    await write(before);
    await before.app.stop();
    const file = new Database(join(folder.path, DATA_FILE));
    file.exec(`insert into memory_words (memory_words) values ('delete-all');
    insert into document_words (document_words) values ('delete-all');
    ${wordsOfLanguages}`);
    const put = file.query(
      "insert into memory_words (rowid, title, content) select words_row, '', ? from memories where content = ?",
    );
    for (const content of CONTENTS) put.run(fold(content), content);
    file
      .query("insert into document_words (rowid, summary, text) select seq, ?, ? from documents")
      .run(fold(SUMMARY), fold(SUMMARY));
    file.close();
    const after = await openApp({ folder: folder.path });
    expect(await firstOf(after, "quokkas")).toBe(CONTENTS[4] ?? "");
    await after.settle();
    await expectFound(after);
    await after.app.stop();
    folder.remove();
  },
);

test.skipIf(!isPostgres)(
  "a database of before is worded anew by a job",
  async () => {
    const before = await openPostgresApp();
    const keeper = await before.openAnother();
    await write(before);
    await before.rows(
      `update memory_words set tokens = array(select t from unnest(tokens) t where t ~ '^[0-9]+:[a-z0-9]+$')`,
    );
    await before.rows(`delete from word_rows where word !~ '^[a-z0-9]+$'`);
    await before.rows("update document_words set tokens = '{}'");
    for (const statement of postgresStep) await before.rows(statement);
    await before.app.stop();
    const after = await openApp({
      folder: "/dev/null/cairn",
      flags: ["--database-url=postgres://of.a.test/cairn"],
      openDatabase: before.openAnother,
    });
    await after.settle();
    await expectFound(after);
    await after.app.stop();
    await keeper.close();
  },
  HANG_GUARD_MS,
);
