import type { StoredLink } from "../../../core/ports/stored-memory.ts";
import type { EntityType } from "../../../core/schema/entity.ts";
import type { Connections, Engine } from "../engine/connection.ts";
import { queueAfter } from "../jobs/jobs.ts";
import { createCover } from "./cover.ts";

/** A link on its way into the index. */
export interface FiledLink {
  readonly entity_seq: number;
  readonly role: string;
  /** The row writes the entity's own name; without, it is another name for it. */
  readonly direct: boolean;
  /** How the row's text spells the entity, and what kind it takes it for; null where its own name stands nowhere in it. */
  readonly named: { readonly name: string; readonly entity_type: EntityType } | null;
}

/** What the index must know of a row. */
export interface LinkedRow {
  readonly seq: number;
  readonly tenant_id: string;
  readonly audience: number;
  readonly created_at: string;
}

/** An entity whose own name no row of these readers writes. */
export interface Unnamed {
  readonly entity_seq: number;
  readonly audience: number;
}

/** What a row's leaving took away. */
export interface Unfiled {
  readonly unnamed: readonly Unnamed[];
  /** Other names that the row had taught, as `aliasMark` marks them. */
  readonly aliases: readonly string[];
}

/** One other name of one entity, as a text. */
export const aliasMark = (alias_key: string, entity_seq: number): string => `${entity_seq} ${alias_key}`;

const FILE = `insert into memory_entities (entity_seq, memory_seq, audience, role, direct, name, entity_type)
  values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`;
/** What a caller linked, the text may name as well. */
const SPELL = `update memory_entities set name = ?, entity_type = ?
  where entity_seq = ? and memory_seq = ? and name is null`;
const COUNT_UP = `insert into entity_audiences (entity_seq, audience, links, direct, since) values (?, ?, 1, ?, ?)
  on conflict do update set links = links + 1, direct = direct + excluded.direct, since = min(since, excluded.since)`;
const COUNT_DOWN = `update entity_audiences set links = links - 1, direct = direct - ?
  where entity_seq = ? and audience = ? returning links, direct`;

/** Files a row under entities, inside the caller's transaction; what is filed already stays as it is. */
export function fileLinks(db: Connections, row: LinkedRow, links: readonly FiledLink[]): void {
  const file = db.writeConnection.query(FILE);
  const countUp = db.writeConnection.query(COUNT_UP);
  const spell = db.writeConnection.query(SPELL);
  for (const { entity_seq, role, direct, named } of links) {
    const spelt = [named?.name ?? null, named?.entity_type ?? null];
    const { changes } = file.run(entity_seq, row.seq, row.audience, role, Number(direct), ...spelt);
    if (changes > 0) countUp.run(entity_seq, row.audience, Number(direct), row.created_at);
    else if (named) spell.run(...spelt, entity_seq, row.seq);
  }
}

/** Takes a row out of the index, with the other names it taught. */
export function unfileLinks(db: Connections, memory_seq: number): Unfiled {
  const filed = db.writeConnection
    .query<{ entity_seq: number; audience: number; direct: number }, [number]>(
      "delete from memory_entities where memory_seq = ? returning entity_seq, audience, direct",
    )
    .all(memory_seq);
  const countDown = db.writeConnection.query<{ links: number; direct: number }, [number, number, number]>(COUNT_DOWN);
  const drop = db.writeConnection.query("delete from entity_audiences where entity_seq = ? and audience = ?");
  const unnamed: Unnamed[] = [];
  for (const { entity_seq, audience, direct } of filed) {
    const left = countDown.get(direct, entity_seq, audience);
    if (left?.links === 0) drop.run(entity_seq, audience);
    if (direct === 1 && left?.direct === 0) unnamed.push({ entity_seq, audience });
  }
  const taught = db.writeConnection
    .query<{ alias_key: string; entity_seq: number }, [number]>(
      "delete from entity_aliases where memory_seq = ? returning alias_key, entity_seq",
    )
    .all(memory_seq);
  return { unnamed, aliases: taught.map((alias) => aliasMark(alias.alias_key, alias.entity_seq)) };
}

/** Files a row under the entities that its stored links name, as far as all its readers may know them. */
export function fileStoredLinks(db: Connections, row: LinkedRow, links: readonly StoredLink[]): void {
  fileLinks(db, row, knownLinks(db, row, links));
}

/**
 * Links of a row to entities of its tenant that everyone who reads the row may know. What was read in its text is always
 * among them; of a caller's word, nobody learns that a name stands in rows that are not his to read.
 */
export function knownLinks(db: Connections, row: LinkedRow, links: readonly StoredLink[]): FiledLink[] {
  if (links.length === 0) return [];
  const cover = createCover(db, row.tenant_id);
  const seqOf = db.writeConnection.query<{ seq: number }, [string, string]>(
    "select seq from entities where tenant_id = ? and id = ?",
  );
  return links.flatMap(({ entity_id, role, inferred }): FiledLink[] => {
    const found = seqOf.get(row.tenant_id, entity_id);
    if (!found || !(inferred === true || cover.isCovered(found.seq, row))) return [];
    return [{ entity_seq: found.seq, role, direct: true, named: null }];
  });
}

/** Rows read again because of one name, newest first. */
const REREADS_MAX = 100;
/** Names that one change may have rows read again for. */
const REREAD_NAMES_MAX = 20;

/** Queues the rows that know an entity by another name only, where its own name is gone for good. */
export function rereadUnnamed(db: Engine, tenant_id: string, unnamed: readonly Unnamed[], nowMs: number): void {
  const named = db.writeConnection.query<unknown, [number, number]>(
    "select 1 from entity_audiences where entity_seq = ? and audience = ? and direct > 0",
  );
  const gone = unnamed.filter(({ entity_seq, audience }) => named.get(entity_seq, audience) === null);
  const rereads = [...new Set(gone.map(({ entity_seq }) => entity_seq))].map((entity_seq) => ({
    entity_seq,
    direct: false,
  }));
  queueRereads(db, tenant_id, rereads, nowMs);
}

/** Rows that a name's coming or going concerns: those with the entity's own name, or those with another name for it. */
export interface Reread {
  readonly entity_seq: number;
  readonly direct: boolean;
}

/** Queues rows to be read again, since a name that decided whom they mean came or went. */
export function queueRereads(db: Engine, tenant_id: string, rereads: readonly Reread[], nowMs: number): void {
  const found = db.writeConnection.query<{ id: string }, [number, number]>(
    `select m.id from memory_entities l join memories m on m.seq = l.memory_seq
    where l.entity_seq = ? and l.direct = ? order by l.memory_seq desc limit ${REREADS_MAX}`,
  );
  const chosen = rereads.slice(0, REREAD_NAMES_MAX);
  const ids = chosen.flatMap(({ entity_seq, direct }) => found.all(entity_seq, Number(direct)).map(({ id }) => id));
  const rows = [...new Set(ids)].slice(0, REREADS_MAX).map((id) => ({ tenant_id, id }));
  queueAfter(db, { kind: "memories_stale", rows, now_ms: nowMs });
}
