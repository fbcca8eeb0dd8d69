import { sql } from "drizzle-orm";
import type { Clock } from "../../../core/kernel/clock.ts";
import { newId } from "../../../core/kernel/ids.ts";
import type { KeptTextStore, KeptWords } from "../../../core/ports/keeping/kept-texts.ts";
import { KEPT_TEXTS_MAX } from "../../../core/ports/keeping/kept-texts.ts";
import type { ChangedBy } from "../../common/changed-by.ts";
import type { KeptTextRow } from "../../common/kept-texts.ts";
import { seenThen } from "../../common/kept-texts.ts";
import { intArray } from "../engine/values.ts";
import type { Engine, TenantWork } from "../engine/work.ts";
import { queueAfter } from "../jobs/queue.ts";
import { findMemory } from "./read.ts";
import type { MemoryRow } from "./rows.ts";

/** Texts that edits replaced, over Postgres. */
export const postgresKeptTextStore = (engine: Engine, clock: Clock): KeptTextStore => ({
  of: (key, read_scope) =>
    engine.snapshot(async (work) => {
      const memory = await findMemory(work, key, read_scope);
      if (!memory) return [];
      const rows = await work.rows<KeptTextRow>(sql`
        select k.id, k.content, k.title, k.visibility, k.replaced_at, k.replaced_by from kept_texts k
          join memories m on m.tenant_id = k.tenant_id and m.seq = k.memory_seq
        where m.tenant_id = ${key.tenant_id} and m.id = ${key.id} order by k.seq desc`);
      return seenThen(rows, memory, read_scope);
    }),
  tenants: () =>
    engine.look(async (work) => {
      const rows = await work.rows<{ tenant_id: string }>(
        sql`select distinct tenant_id from kept_texts order by tenant_id`,
      );
      return rows.map(({ tenant_id }) => tenant_id);
    }),
  removeBefore: (tenant_id, before, limit) =>
    engine.write(tenant_id, async (work) => {
      const removed = await work.run(sql`delete from kept_texts where tenant_id = ${tenant_id} and seq in (
        select seq from kept_texts where tenant_id = ${tenant_id} and replaced_at < ${before} limit ${limit})`);
      if (removed > 0) await queueAfter(work, { kind: "memories_erased", now_ms: clock.now() });
      return removed;
    }),
});

/** Keeps what a row says until now, inside the transaction that changes it. */
export async function keepText(
  work: TenantWork,
  { seq, visibility }: MemoryRow,
  { content, title }: KeptWords,
  by: ChangedBy,
): Promise<void> {
  const { tenant_id } = work;
  await work.run(sql`insert into kept_texts
      (tenant_id, id, memory_seq, content, title, visibility, replaced_at, replaced_by)
    values (${tenant_id}, ${newId({ now: () => by.nowMs })}, ${seq}, ${content}, ${title}, ${visibility}, ${by.now},
      ${by.actor.agent_id})`);
  await work.run(sql`delete from kept_texts where tenant_id = ${tenant_id} and seq in (
    select seq from kept_texts where tenant_id = ${tenant_id} and memory_seq = ${seq}
    order by seq desc offset ${KEPT_TEXTS_MAX})`);
}

/** Takes away what rows said before, inside the caller's transaction. */
export const removeTexts = (work: TenantWork, seqs: readonly number[]): Promise<number> =>
  work.run(sql`delete from kept_texts where tenant_id = ${work.tenant_id} and memory_seq = any(${intArray(seqs)})`);
