import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createLimiter, quotaHeaders, takeToken } from "../../../src/http/rate-limits.ts";
import { fakeClock } from "../../support/clock.ts";

describe("takeToken", () => {
  test("starts full, and tells what is left and when it is full again", () => {
    const { quota, bucket } = takeToken(null, 10, 1_000);
    expect(quota).toEqual({ allowed: true, limit: 10, remaining: 9, reset: 1, retry_after: 0 });
    expect(bucket).toEqual({ tokens: 9, updated_at_ms: 1_000 });
  });

  test("refuses below one token, keeps the fraction, and tells when one fits", () => {
    const { quota, bucket } = takeToken({ tokens: 0.25, updated_at_ms: 0 }, 2, 0);
    expect(quota).toEqual({ allowed: false, limit: 2, remaining: 0, reset: 1, retry_after: 1 });
    expect(bucket).toEqual({ tokens: 0.25, updated_at_ms: 0 });
  });

  test("saves up one second's worth at most, and always one call", () => {
    expect(takeToken({ tokens: 0, updated_at_ms: 0 }, 5, 3_600_000).bucket.tokens).toBe(4);
    expect(takeToken(null, 0.1, 0).quota).toEqual({ allowed: true, limit: 1, remaining: 0, reset: 10, retry_after: 0 });
  });

  test("takes nothing back when the clock is set back", () => {
    expect(takeToken({ tokens: 3, updated_at_ms: 10_000 }, 5, 0).bucket).toEqual({ tokens: 2, updated_at_ms: 0 });
  });

  test("never allows more in any stretch of time than a second's worth and what the stretch refills", () => {
    const pauses = fc.array(fc.nat(2_000), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), pauses, (rate, waits) => {
        let [now, allowed, bucket] = [0, 0, takeToken(null, rate, 0).bucket];
        for (const wait of waits) {
          now += wait;
          const taken = takeToken(bucket, rate, now);
          bucket = taken.bucket;
          allowed += taken.quota.allowed ? 1 : 0;
          expect(taken.quota.remaining).toBeGreaterThanOrEqual(0);
          expect(taken.quota.allowed).toBe(taken.quota.retry_after === 0);
          expect(Number.isInteger(taken.quota.retry_after)).toBe(true);
        }
        expect(allowed).toBeLessThanOrEqual(rate + (now / 1_000) * rate + 1e-6);
      }),
    );
  });

  test("allows a call after the seconds it names", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 20, noNaN: true }),
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        (rate, tokens) => {
          const refused = takeToken({ tokens, updated_at_ms: 0 }, rate, 0);
          expect(takeToken(refused.bucket, rate, refused.quota.retry_after * 1_000).quota.allowed).toBe(true);
        },
      ),
    );
  });
});

describe("a limiter", () => {
  test("keeps callers and kinds apart, and has no budget where the rate is 0", () => {
    const take = createLimiter(fakeClock(), { write: 1, bulk: 1, search: 0, read: 1 });
    expect(
      [take("a", "write"), take("a", "write"), take("b", "write"), take("a", "read")].map((q) => q.allowed),
    ).toEqual([true, false, true, true]);
    expect(Array.from({ length: 50 }, () => take("a", "search").allowed)).not.toContain(false);
  });

  test("remembers ten thousand callers, and forgets whoever was silent longest", () => {
    const take = createLimiter(fakeClock(), { write: 2, bulk: 1, search: 1, read: 1 });
    take("first", "write");
    take("second", "write");
    for (let i = 0; i < 9_998; i++) take(`caller ${i}`, "write");
    expect(take("first", "write").remaining).toBe(0);
    take("one too many", "write");
    expect([take("first", "write").allowed, take("second", "write").remaining]).toEqual([false, 1]);
  });
});

test("the headers are whole numbers; Retry-After only where there is something to wait for", () => {
  const quota = { allowed: true, limit: 5, remaining: 4, reset: 1, retry_after: 0 };
  const headers = { "X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "4", "X-RateLimit-Reset": "1" };
  expect(quotaHeaders(quota)).toEqual(headers);
  expect(quotaHeaders({ ...quota, allowed: false, retry_after: 3 })).toEqual({ ...headers, "Retry-After": "3" });
});
