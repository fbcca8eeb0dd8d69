import { sql } from "drizzle-orm";
import type { RewordPlace, TextOf } from "../../core/ports/storage.ts";
import { isWordedAnew } from "../../text/languages/forms.ts";
import { wordedText } from "../common/title-words.ts";
import { documentRows, toDocument } from "../documents/read.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { ROW_COLUMNS, rowsOf } from "../memories/rows.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import type { ChangeWork, Runner } from "../units/work.ts";
import type { Slice } from "./slices.ts";
import { nextSlice, within } from "./slices.ts";

/** Rows that are looked at in one step; those whose words change are written in a transaction of each tenant. */
const MEMORIES_PER_STEP = 200;
const DOCUMENTS_PER_STEP = 25;

interface Numbered {
  readonly seq: number;
  readonly tenant_id: string;
}

/** Takes the next step of wording rows anew; see `IndexStore.reword`. */
export async function rewordStep(
  runner: Runner,
  place: RewordPlace | null,
  textOf: TextOf,
): Promise<RewordPlace | null> {
  const { table, after } = place ?? { table: "memories", after: null };
  const size = table === "memories" ? MEMORIES_PER_STEP : DOCUMENTS_PER_STEP;
  const slice = await runner.look((work) => nextSlice(work, { table, key: "seq" }, { size, tenant: null }, after));
  if (slice === null) return table === "memories" ? { table: "documents", after: null } : null;
  if (table === "memories") await rewordMemories(runner, slice);
  else await rewordDocuments(runner, slice, textOf);
  return { table, after: slice.to };
}

const some = ({ dialect, tenant_id }: ChangeWork, table: string, own: readonly Numbered[]) =>
  sql`${dialect.belongs(table, tenant_id)} and ${dialect.isIn(
    sql.raw(`${table}.seq`),
    own.map(({ seq }) => seq),
  )}`;

/** Only rows whose words change are written; each as it is by then. */
async function rewordMemories({ look, writeEach }: Runner, slice: Slice): Promise<void> {
  const found = await look(() =>
    rows<Numbered & Pick<MemoryRow, "title" | "content">>(sql`select seq, tenant_id, title, content from memories
      where ${within("seq", slice)} and deleted_at is null order by seq`),
  );
  await writeEach(
    found.filter((row) => isWordedAnew(wordedText(row))),
    function* (work, own): Unit<void> {
      const live = yield* rowsOf(sql`select ${ROW_COLUMNS} from memories
        where ${some(work, "memories", own)} and memories.deleted_at is null order by memories.seq`);
      yield* work.index.putWords(live);
    },
  );
}

async function rewordDocuments({ look, writeEach }: Runner, slice: Slice, textOf: TextOf): Promise<void> {
  const found = await look(() =>
    rows<Numbered>(sql`select seq, tenant_id from documents
      where ${within("seq", slice)} and summary is not null order by seq`),
  );
  await writeEach(found, function* (work, own): Unit<void> {
    for (const row of yield* documentRows(sql`select * from documents where ${some(work, "documents", own)}`)) {
      const text = textOf(toDocument(row));
      if (text && isWordedAnew(`${text.summary}\n${text.text}`)) yield* work.documents.putWords(row, text);
    }
  });
}
