import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { AppError } from "../../core/kernel/errors.ts";
import { createYielder } from "../../core/kernel/event-loop.ts";
import type { RewordStep, TextOf, Unreworded } from "../../core/ports/storage.ts";
import type { RewordPlace } from "../../core/schema/job.ts";
import { isWordedAnew } from "../../text/languages/forms.ts";
import { wordedText } from "../common/title-words.ts";
import { DOCUMENT_COLUMNS, documentRows, toDocument } from "../documents/read.ts";
import type { MemoryRow } from "../memories/rows.ts";
import { ROW_COLUMNS, rowsOf } from "../memories/rows.ts";
import type { Unit } from "../units/unit.ts";
import { row, rows } from "../units/unit.ts";
import type { ChangeWork, Runner } from "../units/work.ts";
import type { Slice } from "./slices.ts";
import { nextSlice, within } from "./slices.ts";

/** Rows that are looked at in one step, and what they may have of characters: a row that has more is a step of its own. */
const ROWS_PER_STEP = 200;
const CHARACTERS_PER_STEP = 100_000;

interface Numbered {
  readonly seq: number;
  readonly tenant_id: string;
}

/** How the rows of a table are gone through. */
interface Words {
  /** What a row is long. */
  readonly size: string;
  /** Words one row anew where its words change; each is written in a transaction of its own, as it is by then. */
  one(runner: Runner, own: Numbered): Promise<void>;
  /** Which rows have words. */
  readonly where: string;
}

/** Takes the next step of wording rows anew; see `IndexStore.reword`. */
export async function rewordStep(runner: Runner, place: RewordPlace | null, textOf: TextOf): Promise<RewordStep> {
  const { table, after } = place ?? { table: "memories", after: null };
  const over = { table, key: "seq" };
  const slice = await runner.look((work) => nextSlice(work, over, { size: ROWS_PER_STEP, tenant: null }, after));
  if (slice === null) return { next: table === "memories" ? { table: "documents", after: null } : null, failed: [] };
  const words = table === "memories" ? MEMORIES : documents(textOf);
  const { some, to } = await shortened(runner, slice, { table, words });
  const yieldIfDue = createYielder();
  const failed: Unreworded[] = [];
  for (const own of some) {
    try {
      await words.one(runner, own);
    } catch (error) {
      // The disk or the database may be back later; what a row itself throws it throws each time.
      if (error instanceof AppError) throw error;
      failed.push({ table, seq: own.seq, error });
    }
    await yieldIfDue();
  }
  return { next: { table, after: to }, failed };
}

/** The rows of a slice with words, up to the one at which they have too many characters; `to` is where the next step begins. */
async function shortened(
  runner: Runner,
  slice: Slice,
  { table, words }: { readonly table: string; readonly words: Words },
): Promise<{ readonly some: readonly Numbered[]; readonly to: number }> {
  const all = await runner.look(() =>
    rows<Numbered & { readonly size: number }>(sql`select seq, tenant_id, ${sql.raw(words.size)} as size
      from ${sql.raw(table)} where ${within("seq", slice)} and ${sql.raw(words.where)} order by seq`),
  );
  let characters = 0;
  const beyond = all.findIndex(({ size }, i) => {
    characters += Number(size);
    return i > 0 && characters > CHARACTERS_PER_STEP;
  });
  const some = beyond < 0 ? all : all.slice(0, beyond);
  return { some, to: beyond < 0 ? slice.to : (some.at(-1)?.seq ?? slice.to) };
}

const own = ({ dialect, tenant_id }: ChangeWork, table: string, { seq }: Numbered) =>
  sql`${dialect.belongs(table, tenant_id)} and ${sql.raw(`${table}.seq`)} = ${seq}`;

const MEMORIES: Words = {
  size: "length(content)",
  where: "deleted_at is null",
  one: async (runner, numbered) => {
    const found = await runner.look(() =>
      row<Pick<MemoryRow, "title" | "content">>(sql`select title, content from memories where seq = ${numbered.seq}`),
    );
    if (!found || !isWordedAnew(wordedText(found))) return;
    await runner.write(numbered.tenant_id, function* (work): Unit<void> {
      const live = yield* rowsOf(sql`select ${ROW_COLUMNS} from memories
        where ${own(work, "memories", numbered)} and memories.deleted_at is null`);
      yield* work.index.putWords(live);
    });
  },
};

const documents = (textOf: TextOf): Words => {
  const wordedAnew = (document: Parameters<TextOf>[0]) => {
    const text = textOf(document);
    return text && (isWordedAnew(text.summary) || isWordedAnew(text.text)) ? text : null;
  };
  return {
    size: "length(cast(data as text))",
    where: "summary is not null",
    one: async (runner, numbered) => {
      const among = (which: SQL) => documentRows(sql`select ${DOCUMENT_COLUMNS} from documents where ${which}`);
      const found = await runner.look(() => among(sql`seq = ${numbered.seq}`));
      if (!found.some((one) => wordedAnew(toDocument(one)))) return;
      await runner.write(numbered.tenant_id, function* (work): Unit<void> {
        for (const one of yield* among(own(work, "documents", numbered))) {
          const text = wordedAnew(toDocument(one));
          if (text) yield* work.documents.putWords(one, text);
        }
      });
    },
  };
};
