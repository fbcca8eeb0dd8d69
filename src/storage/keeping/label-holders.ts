import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { HeldText, Holder } from "../../core/ports/keeping/forgetting.ts";
import { ERASED_NAME } from "../../core/ports/keeping/forgetting.ts";
import type { Unit } from "../units/unit.ts";
import { run } from "../units/unit.ts";
import type { ChangeWork } from "../units/work.ts";
import type { HolderTable } from "./holder-table.ts";
import { byNumber, ofTenant, within } from "./holder-table.ts";

/** Holders of what people and programs write beside the rows themselves: the row stays, and what it says goes. */
type LabelHolder = Exclude<Holder, "documents" | "entities" | "relations" | "audit_entries" | "kept_replies">;

interface Labels {
  readonly table: string;
  readonly number: SQL;
  readonly perStep?: number;
  readonly isOfTenant?: boolean;
  readonly text: SQL;
  /** Which rows have any. */
  readonly where?: SQL;
  readonly changed: SQL;
  /** What is done with the rows, up to which of them. */
  readonly erase: SQL;
}

const labels = ({ table, number, text, where = sql`true`, erase, ...labels }: Labels): HolderTable => ({
  perStep: 500,
  ...labels,
  table: sql.raw(table),
  number: () => number,
  select: (dialect, span) => sql`select ${number} as number, '' as id, '' as target, ${text} as text
    from ${sql.raw(table)} h where ${ofTenant(dialect, "h", span.tenant_id, labels.isOfTenant)} and ${within(number, span)} and ${where}`,
  fleet: null,
  erase: (work, _, rows) =>
    byNumber(work, { table, column: number, statement: erase, isOfTenant: labels.isOfTenant }, rows),
});

/** Rows without a number are counted in the order of their names, and erased by these. */
const named = (
  { table, name, text, changed, perStep }: Record<"table" | "name" | "text" | "changed", SQL> & { perStep: number },
  erase: SQL,
): HolderTable => {
  const counted = sql`(select *, row_number() over (partition by tenant_id order by ${name}) as number from ${table})`;
  return {
    table: counted,
    number: () => sql`number`,
    perStep,
    isOfTenant: true,
    select: (_, span) => sql`select number, ${name} as id, '' as target, ${text} as text
      from ${counted} h where tenant_id = ${span.tenant_id} and ${within(sql`number`, span)} and ${text} is not null`,
    fleet: null,
    changed,
    erase: ({ dialect, tenant_id }: ChangeWork, _, rows: readonly HeldText[]): Unit<number> =>
      run(sql`${erase} where tenant_id = ${tenant_id}
        and ${dialect.isIn(
          name,
          rows.map(({ id }) => id),
        )}`),
  };
};

export const LABEL_HOLDERS: Readonly<Record<LabelHolder, HolderTable>> = {
  agent_names: labels({
    table: "agents",
    number: sql`seq`,
    text: sql`display_name`,
    where: sql`display_name is not null`,
    changed: sql`updated_at`,
    erase: sql`update agents set display_name = null`,
  }),
  key_labels: named(
    { table: sql`api_keys`, name: sql`id`, text: sql`label`, changed: sql`created_at`, perStep: 500 },
    sql`update api_keys set label = null`,
  ),
  audit_targets: labels({
    table: "audit_log",
    number: sql`number`,
    isOfTenant: true,
    text: sql`target_id`,
    where: sql`action not like 'memory.%'`,
    changed: sql`at`,
    erase: sql`update audit_log set target_id = ${ERASED_NAME}`,
  }),
  request_names: labels({
    table: "memories",
    number: sql`seq`,
    text: sql`client_request_id`,
    where: sql`client_request_id is not null`,
    changed: sql`created_at`,
    erase: sql`update memories set client_request_id = null`,
  }),
  kept_texts: labels({
    table: "kept_texts",
    number: sql`seq`,
    perStep: 100,
    text: sql`content || ' ' || coalesce(title, '')`,
    changed: sql`replaced_at`,
    erase: sql`delete from kept_texts`,
  }),
  rejections: labels({
    table: "skill_poison",
    number: sql`id`,
    text: sql`reason`,
    changed: sql`rejected_at`,
    erase: sql`update skill_poison set reason = ''`,
  }),
  forge_runs: labels({
    table: "forge_runs",
    number: sql`seq`,
    perStep: 100,
    text: sql`cast(clusters as text) || ' ' || coalesce(error, '')`,
    changed: sql`requested_at`,
    erase: sql`update forge_runs set clusters = '[]', error = null`,
  }),
  // All in one step, as those that go would move the rest.
  import_sources: named(
    { table: sql`imports`, name: sql`source`, text: sql`source`, changed: sql`updated_at`, perStep: 1_000_000 },
    sql`delete from imports`,
  ),
  empty_collections: labels({
    table: "collections",
    number: sql`id`,
    text: sql`name`,
    where: sql`not exists (select 1 from documents d where d.tenant_id = h.tenant_id and d.collection = h.name)`,
    changed: sql`''`,
    erase: sql`delete from collections`,
  }),
};
