import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import { newId } from "../../core/kernel/ids.ts";
import type { KeptText, KeptTextStore, KeptWords } from "../../core/ports/keeping/kept-texts.ts";
import { KEPT_TEXTS_MAX } from "../../core/ports/keeping/kept-texts.ts";
import type { ReadScope } from "../../core/ports/memory-filter.ts";
import type { Visibility } from "../../core/schema/access.ts";
import type { AudienceKey } from "../common/audiences.ts";
import { audienceOwner, isReader } from "../common/audiences.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import { queueAfter } from "../jobs/queue.ts";
import { int } from "../units/dialect.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { Runner, TenantWork } from "../units/work.ts";
import { tenantsOf } from "./count.ts";
import { findRow } from "./read.ts";
import type { MemoryRow } from "./rows.ts";

/** Texts that edits replaced. */
export const keptTextStore = ({ look, snapshot, write }: Runner, clock: Clock): KeptTextStore => ({
  of: (key, read_scope) =>
    snapshot(function* (work) {
      const memory = yield* findRow(work, key, read_scope);
      if (!memory) return [];
      const kept = yield* rows<KeptTextRow>(sql`
        select id, content, title, visibility, replaced_at, replaced_by from kept_texts
        where ${work.dialect.belongs("kept_texts", key.tenant_id)} and memory_seq = ${memory.seq} order by seq desc`);
      return seenThen(kept, memory, read_scope);
    }),
  tenants: () => look(() => tenantsOf(sql`kept_texts t where true`)),
  removeBefore: (tenant_id, before, limit) =>
    write(tenant_id, function* (work) {
      const removed = yield* run(sql`delete from kept_texts where ${work.dialect.belongs("kept_texts", tenant_id)}
        and seq in (select seq from kept_texts
          where tenant_id = ${tenant_id} and replaced_at < ${before} limit ${int(limit)})`);
      if (removed > 0) yield* queueAfter(work, { kind: "memories_erased", now_ms: clock.now() });
      return removed;
    }),
});

/** Keeps what a row says until now, inside the transaction that changes it. */
export function* keepText(
  { dialect, tenant_id }: TenantWork,
  { seq, visibility }: MemoryRow,
  { content, title }: KeptWords,
  by: ChangedBy,
): Unit<void> {
  yield* run(sql`insert into kept_texts
      (tenant_id, id, memory_seq, content, title, visibility, replaced_at, replaced_by)
    values (${tenant_id}, ${newId({ now: () => by.nowMs })}, ${seq}, ${content}, ${title}, ${visibility}, ${by.now},
      ${by.actor.agent_id})`);
  const ofRow = sql`${dialect.belongs("kept_texts", tenant_id)} and memory_seq = ${seq}`;
  yield* run(sql`delete from kept_texts where ${ofRow} and seq not in (
    select seq from kept_texts where ${ofRow} order by seq desc limit ${int(KEPT_TEXTS_MAX)})`);
}

/** Shows what rows said before to their authors alone, inside the transaction that moves them: others read them from now on. */
export const closeTexts = ({ dialect, tenant_id }: TenantWork, seqs: readonly number[]): Unit<number> =>
  run(sql`update kept_texts set visibility = 'scope_agent'
    where ${dialect.belongs("kept_texts", tenant_id)} and ${dialect.isIn(sql`memory_seq`, seqs)}`);

/** Takes away what rows said before, inside the caller's transaction. */
export const removeTexts = ({ dialect, tenant_id }: TenantWork, seqs: readonly number[]): Unit<number> =>
  run(sql`delete from kept_texts
    where ${dialect.belongs("kept_texts", tenant_id)} and ${dialect.isIn(sql`memory_seq`, seqs)}`);

/** A text as it is stored: with whom its memory was for then. */
interface KeptTextRow extends KeptText {
  readonly visibility: Visibility;
}

/** The texts that the reader saw when they were the memory's. */
const seenThen = (rows: readonly KeptTextRow[], memory: AudienceKey, read_scope: ReadScope): KeptText[] =>
  rows
    .filter(({ visibility }) =>
      isReader({ kind: visibility, owner: audienceOwner({ ...memory, visibility }) }, read_scope),
    )
    .map(({ visibility: _then, ...text }) => text);
