import type { Clock } from "../kernel/clock.ts";

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
  readonly at: number;
}

/** Token buckets: each caller may save up one second's worth of calls of a kind. */
export function createLimiter(clock: Clock, rates: Rates) {
  const buckets = new Map<string, Bucket>();
  return (caller: string, kind: RateKind): Quota => {
    const rate = rates[kind];
    if (rate === 0) return { allowed: true, limit: UNLIMITED, remaining: UNLIMITED, reset: 0, retry_after: 0 };
    const key = `${kind} ${caller}`;
    const { quota, bucket } = takeToken(buckets.get(key) ?? null, rate, clock.now());
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > CALLERS_MAX) forgetOldest(buckets);
    return quota;
  };
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  const [oldest] = buckets.keys();
  if (oldest !== undefined) buckets.delete(oldest);
}

/** Takes one token of a bucket that refills at `rate` a second; pure. A clock set back refills nothing. */
export function takeToken(bucket: Bucket | null, rate: number, now: number): { quota: Quota; bucket: Bucket } {
  const capacity = Math.max(1, rate);
  const refilled = bucket ? bucket.tokens + (Math.max(0, now - bucket.at) / SECOND_MS) * rate : capacity;
  const tokens = Math.min(capacity, refilled);
  const allowed = tokens >= 1;
  const left = allowed ? tokens - 1 : tokens;
  const quota = {
    allowed,
    limit: Math.floor(capacity),
    remaining: Math.floor(left),
    reset: Math.ceil((capacity - left) / rate),
    retry_after: allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / rate)),
  };
  return { quota, bucket: { tokens: left, at: now } };
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
