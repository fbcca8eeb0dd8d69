import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Counted, NewTellings, Telling, TellingStore } from "../../core/ports/observing/tellings.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { Runner, TenantWork, Work } from "../units/work.ts";
import { memoryWhere } from "./filters.ts";

/** What hooks told, and what of it was taken up. */
export const tellingStore = ({ look, write }: Runner): TellingStore => ({
  record: (tellings) => write(tellings.tenant_id, (work) => recordTellings(work, tellings)),
  of: (tenant_id, ids) => look((work) => tellingsOf(work, tenant_id, ids)),
});

function* recordTellings({ dialect }: TenantWork, tellings: NewTellings): Unit<Counted> {
  const { tenant_id, read_scope, at } = tellings;
  const seen = (ids: readonly string[]) =>
    sql`from memories where ${memoryWhere(dialect, { tenant_id, read_scope, ids })}`;
  const told = yield* run(sql`insert into tellings (tenant_id, memory_seq, told, watched, used, last_told_at)
    select memories.tenant_id, memories.seq, 1, 0, 0, ${at} ${seen(tellings.told)}
    on conflict ${dialect.key("memory_seq")} do update
      set told = tellings.told + 1, last_told_at = excluded.last_told_at`);
  const oneMore = (column: SQL, ids: readonly string[]) =>
    run(sql`update tellings set ${column} = ${column} + 1
      where ${dialect.belongs("tellings", tenant_id)} and ${column} < told
        and memory_seq in (select memories.seq ${seen(ids)})`);
  const watched = yield* oneMore(sql`watched`, tellings.watched);
  return { told, watched, used: yield* oneMore(sql`used`, tellings.used) };
}

function* tellingsOf({ dialect }: Work, tenant_id: string, ids: readonly string[]): Unit<ReadonlyMap<string, Telling>> {
  if (ids.length === 0) return new Map();
  const found = yield* rows<Telling & { id: string }>(sql`select m.id, t.told, t.watched, t.used, t.last_told_at
    from memories m ${dialect.nested} tellings t on ${dialect.belongs("t", tenant_id)} and t.memory_seq = m.seq
    where ${dialect.belongs("m", tenant_id)} and ${dialect.isIn(sql`m.id`, ids)}`);
  return new Map(found.map(({ id, ...telling }) => [id, telling]));
}

/** Forgets how often rows were told, inside the caller's transaction. */
export const removeTellings = ({ dialect, tenant_id }: TenantWork, seqs: readonly number[]): Unit<number> =>
  run(sql`delete from tellings
    where ${dialect.belongs("tellings", tenant_id)} and ${dialect.isIn(sql`memory_seq`, seqs)}`);
