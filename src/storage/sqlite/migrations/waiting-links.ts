/**
 * Which entities a deleted row was linked to, kept by the database itself whatever changes a row: they wait for its
 * return, and whether one does is looked up.
 */
export const waitingLinks = `
create table waiting_links (
  entity_id text not null,
  memory_seq integer not null,
  primary key (entity_id, memory_seq)
) strict, without rowid;
insert or ignore into waiting_links (entity_id, memory_seq)
  select l.value ->> '$.entity_id', m.seq from memories m, json_each(m.entity_links) l
  where m.deleted_at is not null and m.entity_links <> '[]' and l.value ->> '$.entity_id' is not null;
create trigger links_wait after update of deleted_at on memories
  when old.deleted_at is null and new.deleted_at is not null begin
  insert or ignore into waiting_links (entity_id, memory_seq)
    select l.value ->> '$.entity_id', new.seq from json_each(new.entity_links) l
    where l.value ->> '$.entity_id' is not null;
end;
create trigger links_come_waiting after insert on memories when new.deleted_at is not null begin
  insert or ignore into waiting_links (entity_id, memory_seq)
    select l.value ->> '$.entity_id', new.seq from json_each(new.entity_links) l
    where l.value ->> '$.entity_id' is not null;
end;
create trigger links_return after update of deleted_at on memories
  when old.deleted_at is not null and new.deleted_at is null begin
  delete from waiting_links where memory_seq = old.seq
    and entity_id in (select l.value ->> '$.entity_id' from json_each(old.entity_links) l);
end;
create trigger links_go after delete on memories when old.deleted_at is not null begin
  delete from waiting_links where memory_seq = old.seq
    and entity_id in (select l.value ->> '$.entity_id' from json_each(old.entity_links) l);
end;
`;
