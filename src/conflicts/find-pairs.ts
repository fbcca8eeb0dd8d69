import { toTimestamp } from "../core/kernel/clock.ts";
import { mapCooperatively } from "../core/kernel/event-loop.ts";
import type { Services } from "../core/ports/context.ts";
import type { ClaimKey, UncheckedMemory } from "../core/ports/contradiction-store.ts";
import { LIVE_STATUSES } from "../core/schema/memory.ts";
import { isTurn } from "./events.ts";
import { worthDeciding } from "./judge.ts";
import type { Pair, ReadMemory } from "./pair.ts";
import { happenedAt, pairWith, readMemory } from "./pair.ts";
import { statedClaim } from "./triple.ts";

/** A row in hand with what its writer states of it. */
export interface OwnRow {
  readonly row: UncheckedMemory;
  readonly own: ReadMemory;
  readonly claims: readonly ClaimKey[];
}

export function readRow(row: UncheckedMemory): OwnRow {
  const claim = statedClaim(row.memory);
  return { row, own: readMemory(row.memory), claims: claim ? [claim] : [] };
}

/** The pairs worth deciding that a row makes with stored rows, and with those that are about to be recorded. */
export async function findPairs(
  services: Services,
  { row, own, claims }: OwnRow,
  unrecorded: readonly OwnRow[],
): Promise<readonly Pair[]> {
  const { storage, embedder, clock } = services;
  const now = toTimestamp(clock.now());
  if (!isComparable(row, now)) return [];
  const keys = new Set(claims.map(keyOf));
  const candidates = await storage.contradictions.candidates({
    memory: row.memory,
    claims,
    happened_at: happenedAt(row.memory),
    embedder_id: embedder.id,
    now,
    unrecorded: unrecorded.map((other) => ({
      id: other.row.memory.id,
      shares_claim: other.claims.some((claim) => keys.has(keyOf(claim))),
    })),
  });
  const pairs = await mapCooperatively(candidates, (candidate) => pairWith(own, candidate, services.manyValued));
  return worthDeciding(
    services,
    pairs.filter((pair) => pair !== null),
  );
}

/** A statement that is live, or was until another one demoted it, and whose time is not over. */
const isComparable = ({ memory, demoted }: UncheckedMemory, now: string): boolean =>
  (demoted || LIVE_STATUSES.includes(memory.status)) &&
  (memory.expires_at === null || memory.expires_at > now) &&
  !isTurn(memory);

const keyOf = ({ subject_key, predicate }: ClaimKey): string => `${predicate} ${subject_key}`;
