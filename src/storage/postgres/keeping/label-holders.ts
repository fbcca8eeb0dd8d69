import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Holder } from "../../../core/ports/keeping/forgetting.ts";
import { ERASED_NAME } from "../../../core/ports/keeping/forgetting.ts";
import { textArray } from "../engine/values.ts";
import type { HolderTable } from "./holder-table.ts";
import { numbersOf, within } from "./holder-table.ts";

/** Holders of what people and programs write beside the rows themselves: the row stays, and what it says goes. */
type LabelHolder = Exclude<Holder, "documents" | "entities" | "relations" | "audit_entries" | "kept_replies">;

interface Labels {
  readonly table: SQL;
  readonly number: SQL;
  readonly text: SQL;
  /** Which rows have any. */
  readonly where?: SQL;
  readonly changed: SQL;
  readonly erase: HolderTable["erase"];
}

const labels = ({ table, number, text, where = sql`true`, changed, erase }: Labels): HolderTable => ({
  table,
  number,
  perStep: 500,
  select: (span) => sql`select ${number} as number, '' as id, '' as target, ${text} as text
    from ${table} where tenant_id = ${span.tenant_id} and ${within(number, span)} and ${where}`,
  fleet: null,
  changed,
  erase,
});

/** Keys and sources have no number: they are counted in the order of their names, sources all in one step, as those that go would move the rest. */
const numbered = (table: SQL, name: SQL): SQL =>
  sql`(select *, row_number() over (partition by tenant_id order by ${name}) as number from ${table}) as numbered`;
const ALL = 1_000_000;
const named = (name: SQL, table: SQL) => ({
  table,
  number: sql`number`,
  select: (span: Parameters<HolderTable["select"]>[0], text: SQL) =>
    sql`select number, ${name} as id, '' as target, ${text} as text
      from ${table} where tenant_id = ${span.tenant_id} and ${within(sql`number`, span)} and ${text} is not null`,
  fleet: null,
});
const keys = named(sql`id`, numbered(sql`api_keys`, sql`id`));
const sources = named(sql`source`, numbered(sql`imports`, sql`source`));
const idsOf = (rows: Parameters<HolderTable["erase"]>[2]): SQL => textArray(rows.map(({ id }) => id));

export const LABEL_HOLDERS: Readonly<Record<LabelHolder, HolderTable>> = {
  agent_names: labels({
    table: sql`agents`,
    number: sql`seq`,
    text: sql`display_name`,
    where: sql`display_name is not null`,
    changed: sql`updated_at`,
    erase: (work, _, rows) =>
      work.run(sql`update agents set display_name = null
        where tenant_id = ${work.tenant_id} and seq = any(${numbersOf(rows)})`),
  }),
  key_labels: {
    ...keys,
    perStep: 500,
    select: (span) => keys.select(span, sql`label`),
    changed: sql`created_at`,
    erase: (work, _, rows) =>
      work.run(sql`update api_keys set label = null where tenant_id = ${work.tenant_id} and id = any(${idsOf(rows)})`),
  },
  audit_targets: labels({
    table: sql`audit_log`,
    number: sql`number`,
    text: sql`target_id`,
    where: sql`not starts_with(action, 'memory.')`,
    changed: sql`at`,
    erase: (work, _, rows) =>
      work.run(sql`update audit_log set target_id = ${ERASED_NAME}
        where tenant_id = ${work.tenant_id} and number = any(${numbersOf(rows)})`),
  }),
  request_names: labels({
    table: sql`memories`,
    number: sql`seq`,
    text: sql`client_request_id`,
    where: sql`client_request_id is not null`,
    changed: sql`created_at`,
    erase: (work, _, rows) =>
      work.run(sql`update memories set client_request_id = null
        where tenant_id = ${work.tenant_id} and seq = any(${numbersOf(rows)})`),
  }),
  kept_texts: labels({
    table: sql`kept_texts`,
    number: sql`seq`,
    text: sql`content || ' ' || coalesce(title, '')`,
    changed: sql`replaced_at`,
    erase: (work, _, rows) =>
      work.run(sql`delete from kept_texts where tenant_id = ${work.tenant_id} and seq = any(${numbersOf(rows)})`),
  }),
  rejections: labels({
    table: sql`skill_poison`,
    number: sql`id`,
    text: sql`reason`,
    changed: sql`rejected_at`,
    erase: (work, _, rows) =>
      work.run(sql`update skill_poison set reason = ''
        where tenant_id = ${work.tenant_id} and id = any(${numbersOf(rows)})`),
  }),
  forge_runs: labels({
    table: sql`forge_runs`,
    number: sql`seq`,
    text: sql`clusters::text || ' ' || coalesce(error, '')`,
    changed: sql`requested_at`,
    erase: (work, _, rows) =>
      work.run(sql`update forge_runs set clusters = '[]', error = null
        where tenant_id = ${work.tenant_id} and seq = any(${numbersOf(rows)})`),
  }),
  import_sources: {
    ...sources,
    perStep: ALL,
    select: (span) => sources.select(span, sql`source`),
    changed: sql`updated_at`,
    erase: (work, _, rows) =>
      work.run(sql`delete from imports where tenant_id = ${work.tenant_id} and source = any(${idsOf(rows)})`),
  },
  empty_collections: labels({
    table: sql`collections`,
    number: sql`id`,
    text: sql`name`,
    where: sql`not exists (select 1 from documents d
      where d.tenant_id = collections.tenant_id and d.collection = collections.name)`,
    changed: sql`''`,
    erase: (work, _, rows) =>
      work.run(sql`delete from collections where tenant_id = ${work.tenant_id} and id = any(${numbersOf(rows)})`),
  }),
};
