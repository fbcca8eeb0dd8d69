import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import type { Audience } from "../../common/audiences.ts";
import { isReader } from "../../common/audiences.ts";
import { audiencesOf } from "../accounts/audiences.ts";
import type { Connections } from "../engine/connection.ts";
import type { ReadableRows, RowRange } from "./word-rows.ts";

/** Numbers of words that one set of readers has: `memories.words_row` is its number, so many times, plus the row's. */
const ROWS_EACH = 2 ** 32;

/**
 * The memories that a reader may see, as the keyword index has them, and how many there are. Words are looked up and weighed
 * among these alone: what others hold neither counts nor costs anything.
 */
export function readableRows(db: Connections, { tenant_id, read_scope }: MemoryFilter): ReadableRows {
  const readable = audiencesOf(db, tenant_id).filter((audience) => isReader(audience, read_scope));
  return {
    ranges: [...rangesOf(readable.filter(isShared)), ...readable.filter((one) => !isShared(one)).map(ownRange)],
    total: storedOf(readable),
  };
}

const storedOf = (audiences: readonly Audience[]): number => audiences.reduce((sum, { stored }) => sum + stored, 0);

const isShared = ({ kind }: Audience): boolean => kind !== "scope_agent";

/** Private rows stand below zero, so that they never come between those of two teams. */
const ownRange = ({ id }: Audience): RowRange => ({ from: -id * ROWS_EACH, to: (1 - id) * ROWS_EACH - 1 });

/** Sets of readers that follow each other are looked up at once. */
function rangesOf(audiences: readonly Audience[]): RowRange[] {
  const ranges: { from: number; to: number }[] = [];
  for (const { id } of audiences) {
    const last = ranges.at(-1);
    if (last?.to === id * ROWS_EACH - 1) last.to += ROWS_EACH;
    else ranges.push({ from: id * ROWS_EACH, to: (id + 1) * ROWS_EACH - 1 });
  }
  return ranges;
}
