import type { ConflictCandidate } from "../core/ports/contradiction-store.ts";
import type { StoredMemory } from "../core/ports/stored-memory.ts";
import { inferredOf } from "../memories/inferred-fields.ts";
import { extractClaims } from "../text/claims/extract.ts";
import { isEpisode, isTurn } from "./events.ts";
import { mayDemote } from "./may-demote.ts";
import type { Statement } from "./verdict.ts";

/** A memory with what the detector reads in it. */
export interface ReadMemory {
  readonly memory: StoredMemory;
  readonly statement: Statement;
}

/** The row that is checked and one of its candidates, in order of time. */
export interface Pair {
  readonly older: ReadMemory;
  readonly newer: ReadMemory;
  readonly candidate: ConflictCandidate;
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

/** Statements that were read last: rows written together are compared with one another. */
const statements = new Map<string, Statement>();
const STATEMENTS_KEPT = 1_024;

/** Reads the claims of a memory. Relative dates mean what they meant when it was written or, before that, when it happened. */
export function readMemory(memory: StoredMemory): ReadMemory {
  const at_ms = Date.parse(happenedAt(memory));
  const key = `${memory.content_hash} ${at_ms} ${memory.created_at}`;
  const known = statements.get(key);
  if (known) return { memory, statement: known };
  const claims = extractClaims(memory.content, Math.min(at_ms, Date.parse(memory.created_at)));
  const statement = { text: memory.content, claims, at_ms };
  statements.set(key, statement);
  const [oldest] = statements.keys();
  if (statements.size > STATEMENTS_KEPT && oldest !== undefined) statements.delete(oldest);
  return { memory, statement };
}

/** The pair that a row makes with a candidate; null when the older one is not to be demoted, or not by the newer one. */
export function pairWith(own: ReadMemory, candidate: ConflictCandidate): Pair | null {
  if (isTurn(candidate.memory)) return null;
  const other = readMemory(candidate.memory);
  const [older, newer] = isBefore(own.memory, other.memory) ? [own, other] : [other, own];
  if (older.memory.status === "outdated" || isEpisode(older.memory)) return null;
  if (!mayDemote(newer.memory, older.memory) || isOverBefore(older.memory, newer.memory)) return null;
  return { older, newer, candidate };
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

/** Whether both say something of the same subject. */
export function shareSubject({ older, newer }: Pair): boolean {
  const subjects = new Set(older.statement.claims.map(({ subject_key }) => subject_key));
  return newer.statement.claims.some(({ subject_key }) => subjects.has(subject_key));
}
