import { sql } from "drizzle-orm";
import { run } from "../../units/unit.ts";
import type { Connections } from "../engine/connection.ts";
import { sqliteDialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";

/** Forgets the replies that show any of these rows, inside the caller's transaction. */
export const eraseReplies = (db: Connections, ids: readonly string[]): void =>
  void drive(db.writeConnection, run(sql`delete from kept_replies where ${sqliteDialect.showsAny(ids)}`));
