import { sql } from "drizzle-orm";
import type { EntityRow, KnownNames, LinkedRow } from "../../core/ports/entities/naming.ts";
import { audiencesOf } from "../accounts/audiences.ts";
import type { Audience } from "../common/audiences.ts";
import { isForAll } from "../common/audiences.ts";
import type { Unit } from "../units/unit.ts";
import { rows } from "../units/unit.ts";
import type { TenantWork } from "../units/work.ts";
import type { EnteredEntity } from "./rows.ts";
import { onlyEntered } from "./rows.ts";
import { isAmong } from "./seen-by.ts";

/** Another name of an entity: that rows of an audience taught, or that was entered for a fleet or for all. */
interface Alias {
  readonly alias_key: string;
  readonly entity_seq: number;
  readonly audience: number;
  readonly by_hand: boolean;
  readonly fleet_id: string | null;
}

/** Reads what is known of names to the readers of some rows. */
export function* knownOf(work: TenantWork, keys: readonly string[], given: readonly LinkedRow[]): Unit<KnownNames> {
  const { dialect, tenant_id } = work;
  const audiences = yield* audiencesOf(work, tenant_id);
  const aliases = yield* aliasesOf(work, keys);
  const entities = yield* entitiesOf(work, keys, aliases);
  const seqs = entities.map(({ seq }) => seq);
  const entered = yield* rows<{ entity_seq: number; fleet_id: string | null }>(sql`
    select h.entity_seq, h.fleet_id from entity_entries h
    where ${dialect.tenant("h", tenant_id)} and ${dialect.isIn(sql`h.entity_seq`, seqs)}`);
  const read = audiences.filter((one) => isForAll(one) || given.some(({ audience }) => audience === one.id));
  const named = yield* rows<{ entity_seq: number; audience: number }>(sql`
    select n.entity_seq, n.audience from entity_audiences n
    where ${dialect.tenant("n", tenant_id)} and ${dialect.isIn(sql`n.entity_seq`, seqs)} and n.direct > 0
      and ${isAmong("n", { dialect, audiences: read.map(({ id }) => id) })}`);
  return knownFrom({ audiences, aliases, entities, entered, named });
}

function* aliasesOf({ dialect, tenant_id }: TenantWork, keys: readonly string[]): Unit<Alias[]> {
  const found = yield* rows<Alias>(sql`
    select distinct a.alias_key, a.entity_seq, a.audience, h.seq is not null as by_hand, h.fleet_id
    from entity_aliases a left join entity_entries h on ${dialect.tenant("h", tenant_id)} and h.seq = -a.memory_seq
    where a.tenant_id = ${tenant_id} and ${dialect.isIn(sql`a.alias_key`, keys)}
    order by a.entity_seq`);
  return found.map((alias) => ({ ...alias, by_hand: Boolean(alias.by_hand) }));
}

const entitiesOf = (
  { dialect, tenant_id }: TenantWork,
  keys: readonly string[],
  aliases: readonly Alias[],
): Unit<EntityRow[]> =>
  rows<EntityRow>(sql`
    select * from entities where tenant_id = ${tenant_id} and ${dialect.isIn(sql`name_key`, keys)}
    union
    select * from entities where ${dialect.belongs("entities", tenant_id)}
      and ${dialect.isIn(sql`seq`, [...new Set(aliases.map(({ entity_seq }) => entity_seq))])}`);

interface Stored {
  readonly audiences: readonly Audience[];
  readonly aliases: readonly Alias[];
  readonly entities: readonly EntityRow[];
  readonly entered: readonly { readonly entity_seq: number; readonly fleet_id: string | null }[];
  readonly named: readonly { readonly entity_seq: number; readonly audience: number }[];
}

function knownFrom(stored: Stored): KnownNames {
  const entityOfKey = new Map(stored.entities.map((entity) => [entity.name_key, entity]));
  const entityOfSeq = new Map(stored.entities.map((entity) => [entity.seq, entity]));
  const aliasesOfKey = Map.groupBy(stored.aliases, ({ alias_key }) => alias_key);
  const fleetsOfEntity = Map.groupBy(stored.entered, ({ entity_seq }) => entity_seq);
  const audiencesOfEntity = Map.groupBy(stored.named, ({ entity_seq }) => entity_seq);
  const links = new Set<string>();
  const forAll = new Set(stored.audiences.filter(isForAll).map(({ id }) => id));
  const fleetOf = new Map(stored.audiences.filter(isOfFleet).map(({ id, owner }) => [id, owner]));
  /** Whether everyone who reads a row reads those of an audience. */
  const isWider = (audience: number, row: LinkedRow): boolean => audience === row.audience || forAll.has(audience);
  const isFor = (fleet_id: string | null, { audience }: LinkedRow): boolean =>
    fleet_id === null || fleet_id === fleetOf.get(audience);
  const bySeq = (seq: number): EntityRow | null => entityOfSeq.get(seq) ?? null;
  const enteredUnder = (key: string, row: LinkedRow): Alias[] =>
    (aliasesOfKey.get(key) ?? []).filter(({ by_hand, fleet_id }) => by_hand && isFor(fleet_id, row));
  return {
    byKey: (key) => entityOfKey.get(key) ?? null,
    bySeq,
    meantBy: (key, row) => {
      const taught = (aliasesOfKey.get(key) ?? []).filter(({ audience }) => isWider(audience, row));
      return [...new Set([...taught, ...enteredUnder(key, row)].map(({ entity_seq }) => entity_seq))];
    },
    enteredFor: (key, row) =>
      onlyEntered(
        enteredUnder(key, row).flatMap(({ entity_seq, fleet_id }): EnteredEntity[] => {
          const entity = bySeq(entity_seq);
          return entity ? [{ ...entity, fleet_id }] : [];
        }),
      ),
    isEntered: ({ seq }, row) => (fleetsOfEntity.get(seq) ?? []).some(({ fleet_id }) => isFor(fleet_id, row)),
    isNamed: ({ seq }, row) => (audiencesOfEntity.get(seq) ?? []).some(({ audience }) => isWider(audience, row)),
    addEntity: (entity) => {
      entityOfKey.set(entity.name_key, entity);
      entityOfSeq.set(entity.seq, entity);
    },
    addAlias: (alias_key, { seq: entity_seq }, { audience }) => {
      const alias = { alias_key, entity_seq, audience, by_hand: false, fleet_id: null };
      aliasesOfKey.set(alias_key, [...(aliasesOfKey.get(alias_key) ?? []), alias]);
    },
    addLink: ({ seq: entity_seq }, { seq, audience }, direct) => {
      const link = `${entity_seq} ${seq}`;
      if (direct && !links.has(link))
        audiencesOfEntity.set(entity_seq, [...(audiencesOfEntity.get(entity_seq) ?? []), { entity_seq, audience }]);
      links.add(link);
    },
  };
}

const isOfFleet = ({ kind, owner }: Audience): boolean => kind === "scope_team" && owner !== "";
