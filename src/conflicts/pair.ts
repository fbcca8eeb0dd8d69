import type { ConflictCandidate } from "../core/ports/contradiction-store.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import { inferredOf } from "../memories/inferred-fields.ts";
import { isEpisode, isTurn, isUtterance } from "./events.ts";
import { mayDemote } from "./may-demote.ts";
import type { Reading } from "./readings.ts";
import { areReadings, readingOf } from "./readings.ts";
import type { TripleRelation } from "./triple.ts";
import { relateTriples } from "./triple.ts";

export interface ReadMemory {
  readonly memory: StoredMemory;
  /** When it came to hold: `ts_valid_start` if its writer gave it, else when it was written; epoch milliseconds. */
  readonly at_ms: number;
  /** What it read at a time that its text names; null for any other statement. */
  readonly reading: Reading | null;
}

/** The row that is checked and one of its candidates, in order of time. */
export interface Pair {
  readonly older: ReadMemory;
  readonly newer: ReadMemory;
  readonly candidate: ConflictCandidate;
  /** What the callers of both stated beside their texts. */
  readonly stated: TripleRelation;
}

/** When a statement came to hold, as a timestamp: when whoever wrote it said so, else when it was written. */
export const happenedAt = (memory: StoredMemory): string => toldTime(memory, "ts_valid_start") ?? memory.created_at;

/**
 * A bound of validity that the writer gave. One that was read from the text does not tell the order of events: in "the launch
 * is on 5 June" the date is what the statement says, and a correction may well name an earlier one.
 */
function toldTime(memory: StoredMemory, bound: "ts_valid_start" | "ts_valid_end"): string | null {
  return inferredOf(memory).includes(bound) ? null : memory[bound];
}

/** A memory with the moment from which it holds. */
export function readMemory(memory: StoredMemory): ReadMemory {
  const at_ms = Date.parse(happenedAt(memory));
  return { memory, at_ms, reading: readingOf(memory.content, at_ms) };
}

/**
 * The pair that a row makes with a candidate; null when the older one is not to be demoted, or not by the newer one.
 * `manyValued` are the predicates that hold several values at once.
 */
export function pairWith(own: ReadMemory, candidate: ConflictCandidate, manyValued: ReadonlySet<string>): Pair | null {
  if (isTurn(candidate.memory) || (isUtterance(own.memory) && isUtterance(candidate.memory))) return null;
  const other = readMemory(candidate.memory);
  const [older, newer] = isBefore(own.memory, other.memory) ? [own, other] : [other, own];
  if (older.memory.status === "outdated" || isEpisode(older.memory)) return null;
  if (!mayDemote(newer.memory, older.memory) || isOverBefore(older.memory, newer.memory)) return null;
  const stated = relateTriples(older, newer, manyValued);
  if (stated === "unrelated" && areReadings(older.reading, newer.reading)) return null;
  return { older, newer, candidate, stated };
}

/** Order of events: by time of event, then of writing, then by id, which tells the order within one instant. */
const isBefore = (a: StoredMemory, b: StoredMemory): boolean => orderOf(a) < orderOf(b);

/** Timestamps are of one length and sort as text. */
const orderOf = (memory: StoredMemory): string => `${happenedAt(memory)} ${memory.created_at} ${memory.id}`;

/** Whether the older statement, by its writer's word, was over when the newer one came to hold: then each is true of its time. */
function isOverBefore(older: StoredMemory, newer: StoredMemory): boolean {
  const end = toldTime(older, "ts_valid_end");
  return end !== null && end <= happenedAt(newer);
}
