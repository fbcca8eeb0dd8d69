import type { Database } from "bun:sqlite";
import { putWords } from "../search/keyword-index.ts";

/**
 * How many live rows each set of readers has, kept by the database itself whatever changes a row; and the number of a row's
 * words: those of one set of readers stand together, private ones apart from the others.
 */
const SHAPE = `
  create table audience_rows (
    audience integer primary key references audiences (id),
    stored integer not null
  ) strict;
  insert into audience_rows (audience, stored)
    select audience, count(*) from memories where deleted_at is null group by audience;
  create trigger audience_rows_come after insert on memories when new.deleted_at is null begin
    insert into audience_rows (audience, stored) values (new.audience, 1)
      on conflict do update set stored = stored + 1;
  end;
  create trigger audience_rows_go after delete on memories when old.deleted_at is null begin
    update audience_rows set stored = stored - 1 where audience = old.audience;
  end;
  create trigger audience_rows_move after update of audience, deleted_at on memories
    when old.audience <> new.audience or (old.deleted_at is null) <> (new.deleted_at is null) begin
    update audience_rows set stored = stored - 1 where audience = old.audience and old.deleted_at is null;
    insert into audience_rows (audience, stored) select new.audience, 1 where new.deleted_at is null
      on conflict do update set stored = stored + 1;
  end;
  alter table memories add column words_row integer
    generated always as ((case visibility when 'scope_agent' then -audience else audience end) * 4294967296 + seq) virtual;
  insert into memory_words (memory_words) values ('delete-all');
`;

interface Worded {
  readonly seq: number;
  readonly title: string | null;
  readonly content: string;
}

/** The words of every row move: they are written again from the rows, a few at a time. */
export function wordsByReaders(db: Database): void {
  db.exec(SHAPE);
  const some = db.query<Worded, [number]>(
    "select seq, title, content from memories where seq > ? and deleted_at is null order by seq limit 1000",
  );
  for (let rows = some.all(0); rows.length > 0; rows = some.all(rows.at(-1)?.seq ?? 0)) {
    for (const row of rows) putWords({ writeConnection: db }, row);
  }
}
