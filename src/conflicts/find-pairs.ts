import { toTimestamp } from "../core/kernel/clock.ts";
import { mapCooperatively } from "../core/kernel/event-loop.ts";
import type { Services } from "../core/ports/context.ts";
import type { ClaimKey, UncheckedMemory } from "../core/ports/contradiction-store.ts";
import { LIVE_STATUSES } from "../core/schema/memory.ts";
import { isTurn } from "./events.ts";
import { mayBeOfOneThing, worthDeciding } from "./judge.ts";
import type { Pair } from "./pair.ts";
import { happenedAt, pairWith, readMemory } from "./pair.ts";
import { statedClaim } from "./triple.ts";

/** A row in hand with what its writer states of it. */
export interface OwnRow {
  readonly row: UncheckedMemory;
  readonly claim: ClaimKey | null;
}

export const readRow = (row: UncheckedMemory): OwnRow => ({ row, claim: statedClaim(row.memory) });

/** The pairs worth deciding that a row makes with stored rows, and with those that are about to be recorded. */
export async function findPairs(
  services: Services,
  own: OwnRow,
  unrecorded: readonly OwnRow[],
): Promise<readonly Pair[]> {
  const pairs = await nearPairs(services, own, unrecorded);
  return services.judge ? pairs.filter(mayBeOfOneThing) : pairs;
}

/** The same with those that are not alike enough for the judge. */
export async function nearPairs(
  services: Services,
  { row, claim }: OwnRow,
  unrecorded: readonly OwnRow[],
): Promise<readonly Pair[]> {
  const { storage, embedder, clock } = services;
  const now = toTimestamp(clock.now());
  if (!isComparable(row, now)) return [];
  const candidates = await storage.contradictions.candidates({
    memory: row.memory,
    claim,
    happened_at: happenedAt(row.memory),
    embedder_id: embedder.id,
    now,
    unrecorded: unrecorded.map((other) => ({
      id: other.row.memory.id,
      shares_claim: isSameClaim(claim, other.claim),
    })),
  });
  const own = readMemory(row.memory);
  const pairs = await mapCooperatively(candidates, (candidate) => pairWith(own, candidate, services.manyValued));
  return worthDeciding(
    services,
    pairs.filter((pair) => pair !== null),
  );
}

/** A statement that is live, or was until another one demoted it, and whose time is not over. */
export const isComparable = ({ memory, demoted }: UncheckedMemory, now: string): boolean =>
  (demoted || LIVE_STATUSES.includes(memory.status)) &&
  (memory.expires_at === null || memory.expires_at > now) &&
  !isTurn(memory);

const isSameClaim = (one: ClaimKey | null, other: ClaimKey | null): boolean =>
  one !== null && one.subject_key === other?.subject_key && one.predicate === other.predicate;
