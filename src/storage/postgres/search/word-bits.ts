import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { textArray } from "../engine/values.ts";
import type { LookedUp } from "./word-counts.ts";

/** SQL of the bits of the words that a row's tokens hold; of those that weigh nothing none is told. */
export function bitsOf(alias: string, words: readonly LookedUp[]): SQL {
  const bits = words.flatMap(({ tokens, weight }, i) =>
    weight > 0
      ? [sql`case when ${sql.raw(alias)}.tokens && ${textArray(tokens)} then ${sql.raw(String(1 << i))} else 0 end`]
      : [],
  );
  return bits.length === 0 ? sql`0` : sql`(${sql.join(bits, sql` | `)})`;
}
