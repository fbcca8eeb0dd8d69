import { fleetOf, widerAudiences } from "../accounts/audiences.ts";
import type { Connections } from "../engine/connection.ts";

/** A row, as far as that tells who reads it. */
interface ReadRow {
  readonly audience: number;
}

/** Whether everyone who reads a row may know an entity. */
export interface Cover {
  /** Because it was entered by hand. */
  isEntered(entity_seq: number, row: ReadRow): boolean;
  /** Because of that, or of a row with its name that they all can read. */
  isCovered(entity_seq: number, row: ReadRow): boolean;
  /** The audiences that everyone who reads the row belongs to, as JSON. */
  widerOf(audience: number): string;
}

const ENTERED = "select 1 from entity_entries where entity_seq = ? and (fleet_id is null or fleet_id = ?) limit 1";
const NAMED = `select 1 from entity_audiences
  where entity_seq = ? and direct > 0 and audience in (select value from json_each(?)) limit 1`;

/** Tells of entities of a tenant whether readers of rows know them. */
export function createCover(db: Connections, tenant_id: string): Cover {
  const wider = new Map<number, string>();
  const widerOf = (audience: number): string => {
    const found = wider.get(audience) ?? JSON.stringify(widerAudiences(db, tenant_id, audience));
    wider.set(audience, found);
    return found;
  };
  const isEntered = (entity_seq: number, { audience }: ReadRow): boolean =>
    db.writeConnection.query<unknown, [number, string | null]>(ENTERED).get(entity_seq, fleetOf(db, audience)) !== null;
  const isNamed = (entity_seq: number, { audience }: ReadRow): boolean =>
    db.writeConnection.query(NAMED).get(entity_seq, widerOf(audience)) !== null;
  return {
    widerOf,
    isEntered,
    isCovered: (entity_seq, row) => isEntered(entity_seq, row) || isNamed(entity_seq, row),
  };
}
