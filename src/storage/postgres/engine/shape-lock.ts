import { sql } from "drizzle-orm";
import type { Work } from "./work.ts";

/** The lock that whoever changes the shape holds; its first number tells Cairn's locks from those of others. */
const SHAPE_LOCK = [0x0ca1 + 1, 1] as const;

/** Waits until nobody else changes the shape of the database, and holds the others up until the transaction ends. */
export async function lockShape(work: Pick<Work, "run">): Promise<void> {
  const [space, number] = SHAPE_LOCK;
  await work.run(sql`select pg_advisory_xact_lock(${space}::int, ${number}::int)`);
}
