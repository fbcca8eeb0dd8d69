import type { Clock } from "../core/kernel/clock.ts";
import { sha256 } from "../core/kernel/hash.ts";
import type { Logger } from "../core/kernel/log.ts";
import { describeCause } from "../core/kernel/log.ts";
import type { SharedBuckets, TakenToken } from "../core/ports/shared-buckets.ts";

/** Kinds of calls that share a budget. */
export const RATE_KINDS = ["write", "bulk", "search", "read"] as const;
export type RateKind = (typeof RATE_KINDS)[number];
/** Calls a second for each kind; 0 for no limit. */
export type Rates = Readonly<Record<RateKind, number>>;

/** What the three headers say, and whether the call may go on. */
export interface Quota {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the budget is full again. */
  readonly reset: number;
  /** Whole seconds after which one more call fits. */
  readonly retry_after: number;
}

/** Callers remembered at a time; whoever was silent longest is forgotten, which only ever gives it a full budget. */
const CALLERS_MAX = 10_000;
const SECOND_MS = 1_000;
/** Shown as the limit when there is none. */
const UNLIMITED = 1_000_000_000;

interface Bucket {
  readonly tokens: number;
  readonly updated_at_ms: number;
}

/** Takes one call of a kind from a caller's budget. */
export type Take = (caller: string, kind: RateKind) => Promise<Quota>;

/** Token buckets: each caller may save up one second's worth of calls of a kind. */
export function createLimiter(clock: Clock, rates: Rates): (caller: string, kind: RateKind) => Quota {
  const buckets = new Map<string, Bucket>();
  return (caller, kind) => {
    const rate = rates[kind];
    if (rate === 0) return FREE;
    const key = `${kind} ${caller}`;
    const { quota, bucket } = takeToken(buckets.get(key) ?? null, rate, clock.now());
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > CALLERS_MAX) forgetOldest(buckets);
    return quota;
  };
}

const FREE: Quota = { allowed: true, limit: UNLIMITED, remaining: UNLIMITED, reset: 0, retry_after: 0 };

/** After a failure, the shared buckets are left alone for this long: a dead server must not delay every call. */
const SHARED_PAUSE_MS = 1_000;

/** The same over buckets that several servers share; while they do not answer, each server goes by its own. */
export function createSharedLimiter({ clock, log, shared }: SharedLimits, rates: Rates): Take {
  const own = createLimiter(clock, rates);
  if (shared === null) return async (caller, kind) => own(caller, kind);
  let silentUntil = Number.NEGATIVE_INFINITY;
  return async (caller, kind) => {
    const rate = rates[kind];
    const isSilent = clock.now() < silentUntil && silentUntil <= clock.now() + SHARED_PAUSE_MS;
    if (rate === 0 || isSilent) return own(caller, kind);
    try {
      const bucket = { rate, capacity: capacityOf(rate) };
      return quotaOf(rate, await shared.take(`${kind}:${sha256(caller)}`, bucket));
    } catch (error) {
      silentUntil = clock.now() + SHARED_PAUSE_MS;
      log.warn("shared budgets do not answer", { cause: describeCause(error) });
      return own(caller, kind);
    }
  };
}

interface SharedLimits {
  readonly clock: Clock;
  readonly log: Logger;
  readonly shared: SharedBuckets | null;
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  const [oldest] = buckets.keys();
  if (oldest !== undefined) buckets.delete(oldest);
}

/** Takes one token of a bucket that refills at `rate` a second; pure. A clock set back refills nothing. */
export function takeToken(bucket: Bucket | null, rate: number, now: number): { quota: Quota; bucket: Bucket } {
  const capacity = capacityOf(rate);
  const refilled = bucket ? bucket.tokens + (Math.max(0, now - bucket.updated_at_ms) / SECOND_MS) * rate : capacity;
  const tokens = Math.min(capacity, refilled);
  const allowed = tokens >= 1;
  const left = allowed ? tokens - 1 : tokens;
  return { quota: quotaOf(rate, { allowed, left }), bucket: { tokens: left, updated_at_ms: now } };
}

/** One second's worth, and always one call. */
const capacityOf = (rate: number): number => Math.max(1, rate);

/** What is told of a bucket after a call. */
function quotaOf(rate: number, { allowed, left }: TakenToken): Quota {
  const capacity = capacityOf(rate);
  return {
    allowed,
    limit: Math.floor(capacity),
    remaining: Math.floor(left),
    reset: Math.ceil((capacity - left) / rate),
    retry_after: allowed ? 0 : Math.max(1, Math.ceil((1 - left) / rate)),
  };
}

/** The headers that every reply carries. */
export function quotaHeaders(quota: Quota): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(quota.limit),
    "X-RateLimit-Remaining": String(quota.remaining),
    "X-RateLimit-Reset": String(quota.reset),
    ...(quota.allowed ? {} : { "Retry-After": String(quota.retry_after) }),
  };
}
