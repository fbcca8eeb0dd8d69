import { sql } from "drizzle-orm";
import { AppError } from "../../../core/kernel/errors.ts";
import type { Engine } from "./work.ts";

/** Proves that a server answers. Throws AppError UNAVAILABLE with the cause. */
export const proveReads = ({ look }: Engine): Promise<void> =>
  look(async (work) => void (await work.row(sql`select 1 as one`)));

/** Proves that it takes writes as well: a standby does not, nor does one that was told not to. */
export async function proveWrites({ look }: Engine): Promise<void> {
  const server = await look((work) =>
    work.row<{ is_read_only: boolean }>(
      sql`select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only`,
    ),
  );
  if (server?.is_read_only)
    throw new AppError("UNAVAILABLE", "The database is read-only: nothing is written. Name its primary server.");
}
