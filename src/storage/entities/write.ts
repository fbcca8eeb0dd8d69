import { sql } from "drizzle-orm";
import type { Clock } from "../../core/kernel/clock.ts";
import { newId } from "../../core/kernel/ids.ts";
import type { EntityRow } from "../../core/ports/entities/naming.ts";
import type {
  EntityChange,
  Guard,
  RelationChange,
  StoredEntity,
  StoredRelation,
} from "../../core/ports/entity-store.ts";
import { nameKey } from "../../text/names/name-key.ts";
import { insertAudit } from "../accounts/audit.ts";
import type { ChangedBy } from "../common/changed-by.ts";
import type { Unit } from "../units/unit.ts";
import { rows, run } from "../units/unit.ts";
import type { ChangeWork, TenantWork } from "../units/work.ts";
import { auditedEntry, changeEntry, enteredBefore, entriesOf, insertEntry, teachByHand } from "./entries.ts";
import { enteredFor, entityByKey, insertEntity } from "./rows.ts";

/** Who writes, and what keeps it from taking what all share. */
interface Writer extends ChangedBy {
  readonly guard: Guard;
}

/** Creates or changes what is entered of a name, with its other names and audit row, inside the caller's transaction. */
export function* upsertEntity(
  work: ChangeWork,
  change: EntityChange,
  { actor, now, guard }: Writer,
): Unit<StoredEntity> {
  const { tenant_id, entity_type, canonical_name, key } = change;
  const entity =
    (yield* knownAs(work, change)) ??
    (yield* insertEntity({ tenant_id, entity_type, canonical_name, name_key: key, created_at: now }));
  const current = enteredBefore(yield* entriesOf(work, entity.seq), change, guard);
  // By another name of it, what it is called stays.
  const isOtherName = current !== null && nameKey(current.canonical_name) !== key;
  const { canonical_name: known_name, entity_type: known_type } = current ?? change;
  const entered = isOtherName ? { ...change, canonical_name: known_name, entity_type: known_type } : change;
  const entry = current
    ? yield* changeEntry(work, current, { change: entered, now })
    : yield* insertEntry(work, entity.seq, { change, now });
  const others = change.aliases.filter((alias) => alias.key !== key);
  yield* teachByHand(work, { entity, entry }, others);
  yield* insertAudit(work, actor, [
    {
      at: now,
      // What only memories had told of is new to whoever enters it.
      action: current ? "entity.update" : "entity.create",
      target_id: entity.id,
      before: current && auditedEntry(current),
      after: auditedEntry(entry),
      reason: null,
    },
  ]);
  const { seq: _seq, ...told } = entry;
  return { ...told, id: entity.id, tenant_id };
}

/** The entity that a name means to whoever enters it: the one of that name, unless it was entered as another name of one. */
function* knownAs(work: TenantWork, { key, fleet_id, home }: EntityChange): Unit<EntityRow | null> {
  const own = fleet_id ?? home;
  const bare = yield* entityByKey(work, key);
  const entries = bare ? yield* entriesOf(work, bare.seq) : [];
  const isEntered = entries.some((entry) => entry.fleet_id === null || entry.fleet_id === own);
  return isEntered ? bare : ((yield* enteredFor(work, key, own)) ?? bare);
}

interface RelationRow {
  readonly fleet_id: string | null;
  readonly id: string;
  readonly weight: number;
  readonly evidence_memory_id: string | null;
}

/** Creates or changes the relation between two entities of the tenant, with its audit row. */
export function* upsertRelation(
  work: ChangeWork,
  change: RelationChange,
  { actor, now, guard, clock }: Writer & { readonly clock: Clock },
): Unit<StoredRelation> {
  const { fleet_id, from_entity_id, to_entity_id, relation_type, weight, evidence_memory_id } = change;
  const ends = yield* endsOf(work, change);
  const before = enteredBefore(yield* relationsBetween(work, ends, relation_type), change, guard);
  const stored: RelationRow = {
    id: before?.id ?? newId(clock),
    fleet_id: fleet_id ?? before?.fleet_id ?? null,
    weight,
    evidence_memory_id: evidence_memory_id ?? before?.evidence_memory_id ?? null,
  };
  yield* run(sql`
    insert into relations (tenant_id, id, fleet_id, from_seq, relation_type, to_seq, weight, evidence_memory_id,
      created_at, updated_at)
    values (${work.tenant_id}, ${stored.id}, ${stored.fleet_id}, cast(${ends.from_seq} as bigint), ${relation_type},
      cast(${ends.to_seq} as bigint), ${weight}, ${stored.evidence_memory_id}, ${now}, ${now})
    on conflict ${work.dialect.key("id")} do update set fleet_id = excluded.fleet_id, weight = excluded.weight,
      evidence_memory_id = excluded.evidence_memory_id, updated_at = excluded.updated_at`);
  yield* insertAudit(work, actor, [
    {
      at: now,
      action: before ? "relation.update" : "relation.create",
      target_id: stored.id,
      before: before && { weight: before.weight, evidence_memory_id: before.evidence_memory_id },
      after: { from_entity_id, relation_type, to_entity_id, weight: stored.weight },
      reason: null,
    },
  ]);
  const { fleet_id: _fleet, ...told } = stored;
  return { ...told, from_entity_id, relation_type, to_entity_id };
}

interface Ends {
  readonly from_seq: number | null;
  readonly to_seq: number | null;
}

/** Numbers of the entities at both ends; null where there is none. */
function* endsOf(work: TenantWork, { from_entity_id, to_entity_id }: RelationChange): Unit<Ends> {
  const found = yield* rows<{ id: string; seq: number }>(sql`select id, seq from entities
    where ${work.dialect.belongs("entities", work.tenant_id)} and ${work.dialect.isIn(sql`id`, [from_entity_id, to_entity_id])}`);
  const seqOf = new Map(found.map(({ id, seq }) => [id, seq]));
  return { from_seq: seqOf.get(from_entity_id) ?? null, to_seq: seqOf.get(to_entity_id) ?? null };
}

const relationsBetween = (work: TenantWork, { from_seq, to_seq }: Ends, relation_type: string) =>
  rows<RelationRow>(sql`select fleet_id, id, weight, evidence_memory_id from relations
    where tenant_id = ${work.tenant_id} and from_seq = cast(${from_seq} as bigint) and to_seq = cast(${to_seq} as bigint)
      and relation_type = ${relation_type}`);
