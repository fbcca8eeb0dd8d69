import type { Database } from "bun:sqlite";
import * as usage from "../../accounts/usage.ts";
import type { Connections } from "../engine/connection.ts";
import { sqliteDialect as dialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";

/** Memories of a tenant that are not deleted; kept as a counter because every write reply reports it. */
export const storedMemories = (db: Database, tenant_id: string): number => drive(db, usage.storedMemories(tenant_id));

/** Moves the counter inside the transaction that adds or removes the rows. */
export const changeUsage = (db: Connections, tenant_id: string, by: number): void =>
  drive(db.writeConnection, usage.changeUsage({ dialect, tenant_id }, by));
