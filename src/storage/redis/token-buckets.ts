import { z } from "zod";
import { within } from "../../core/kernel/event-loop.ts";
import type { SharedBuckets } from "../../core/ports/shared-buckets.ts";

/** A budget must cost a request less than the request itself: what does not answer by then counts as gone. */
const ANSWER_MS = 250;
const PREFIX = "cairn:rate:";

/** A token bucket in one step, by the clock of the server that all share. A clock set back refills nothing. */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local rate, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])
local bucket = redis.call('HMGET', KEYS[1], 'left', 'at')
local left, at = tonumber(bucket[1]) or capacity, tonumber(bucket[2]) or now
left = math.min(capacity, left + math.max(0, now - at) / 1000 * rate)
local allowed = left >= 1
if allowed then left = left - 1 end
redis.call('HSET', KEYS[1], 'left', tostring(left), 'at', tostring(now))
redis.call('PEXPIRE', KEYS[1], math.ceil((capacity - left) / rate * 1000) + 1000)
return { allowed and 1 or 0, tostring(left) }`;

const Taken = z.tuple([z.int(), z.string()]).transform(([allowed, left]) => ({ allowed: allowed === 1, left: +left }));

/** Buckets in Redis or Valkey, at a `redis://` or `rediss://` address. Connects with the first call, and again after a loss. */
export function redisBuckets(url: string): SharedBuckets {
  const client = new Bun.RedisClient(url, {
    connectionTimeout: ANSWER_MS,
    autoReconnect: false,
    enableOfflineQueue: false,
  });
  let connecting: Promise<void> | null = null;
  const connect = (): Promise<void> => {
    connecting ??= client.connect().finally(() => {
      connecting = null;
    });
    return connecting;
  };
  const send = async (command: string, args: string[]): Promise<unknown> => {
    if (!client.connected) await connect();
    return client.send(command, args);
  };
  return {
    take: async (name, { rate, capacity }) =>
      Taken.parse(await inTime(send("EVAL", [TAKE, "1", PREFIX + name, String(rate), String(capacity)]))),
    ping: async () => void (await inTime(send("PING", []))),
    close: () => client.close(),
  };
}

const inTime = <T>(work: Promise<T>): Promise<T> =>
  within(work, ANSWER_MS, () => {
    throw new Error(`No answer from Redis within ${ANSWER_MS} ms.`);
  });
