import { afterEach, beforeEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { ClosableReplyStore } from "../../../src/storage/accounts/kept-replies.ts";
import { eraseReplies, replyStore } from "../../../src/storage/accounts/kept-replies.ts";
import { forgettingStore } from "../../../src/storage/keeping/forgetting.ts";
import { retentionStore } from "../../../src/storage/keeping/retention.ts";
import type { Engine } from "../../../src/storage/postgres/engine/work.ts";
import { LEFT_TO_SERVER } from "../../../src/storage/postgres/keeping/left-room.ts";
import { postgresRunner, within } from "../../../src/storage/postgres/units/run.ts";
import { TENANT } from "../../support/builders.ts";
import { fakeClock } from "../../support/clock.ts";
import { processesOverOne } from "../../support/postgres/processes.ts";

const NOW = fakeClock().now();
const DAY_MS = 24 * 60 * 60_000;
/** Longer than any request takes, less than a claim that nobody ends is held. */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const KEY = { tenant_id: TENANT, credential: "ada", key: "k" } as const;
const reply = (body: unknown) => ({ status: 201, body: JSON.stringify(body) });

let processes: Awaited<ReturnType<typeof processesOverOne>>;
let engine: Engine;
let one: ClosableReplyStore;
let other: ClosableReplyStore;

beforeEach(async () => {
  processes = await processesOverOne();
  engine = (await processes.open()).engine;
  one = replyStore(postgresRunner(engine), "one");
  other = replyStore(postgresRunner((await processes.open()).engine), "other");
});
afterEach(() => processes.close());

async function attemptOf(store: ClosableReplyStore, hash = "h", at = NOW): Promise<string> {
  const claim = await store.claim(KEY, hash, at);
  return claim.state === "claimed" ? claim.attempt : expect.unreachable(`The key is ${claim.state}.`);
}

test("one of several processes that claim a key has it, and the others get its reply", async () => {
  const claims = await Promise.all([one, other, one, other].map((store) => store.claim(KEY, "h", NOW)));
  expect(claims.map(({ state }) => state).sort()).toEqual(["claimed", "pending", "pending", "pending"]);
  const first = claims.findIndex(({ state }) => state === "claimed");
  const [holder, follower] = first % 2 === 0 ? [one, other] : [other, one];
  expect(await follower.claim(KEY, "another", NOW)).toEqual({ state: "other_request" });
  await follower.keep(KEY, reply({ id: "not its own" }));
  await follower.release(KEY);
  await holder.keep(KEY, reply({ id: "a" }));
  const done = { state: "done", reply: reply({ id: "a" }) } as const;
  expect(await follower.claim(KEY, "h", NOW)).toEqual(done);
  expect(await holder.claim(KEY, "h", NOW + HOUR_MS)).toEqual(done);
  expect(await follower.claim(KEY, "another", NOW)).toEqual({ state: "other_request" });
});

test("a key that was given back is claimed anew", async () => {
  await attemptOf(one);
  await one.release(KEY);
  await attemptOf(other);
});

test("a process follows one that died, under the same name of the attempt", async () => {
  const attempt = await attemptOf(one);
  expect(await other.claim(KEY, "h", NOW + MINUTE_MS)).toEqual({ state: "pending" });
  expect(await attemptOf(other, "h", NOW + HOUR_MS)).toBe(attempt);
  expect(await one.claim(KEY, "h", NOW + HOUR_MS)).toEqual({ state: "pending" });
  // Whoever comes back has no say any more.
  await one.keep(KEY, reply({ id: "late" }));
  expect(await one.claim(KEY, "h", NOW + HOUR_MS)).toEqual({ state: "pending" });
});

test("what a dead process was asked holds no other request up", async () => {
  const attempt = await attemptOf(one);
  expect(await attemptOf(other, "another", NOW + HOUR_MS)).not.toBe(attempt);
  expect(await one.claim(KEY, "h", NOW + HOUR_MS)).toEqual({ state: "other_request" });
});

test("a store that is closed gives its keys back, those with a reply aside", async () => {
  const attempt = await attemptOf(one);
  await one.close();
  expect(await attemptOf(other)).toBe(attempt);
  await other.keep(KEY, reply({}));
  await other.close();
  expect(await one.claim(KEY, "h", NOW)).toMatchObject({ state: "done" });
});

/** A store of a process whose changes are made, or not made, and then fail. */
function faultyStore(): { store: ClosableReplyStore; fail(how: "before" | "after" | "never"): void } {
  let how = "never";
  const faulty: Engine = {
    ...engine,
    change: async (body) => {
      if (how === "before") throw new Error("The server is away.");
      const done = await engine.change(body);
      if (how === "after") throw new Error("The server is away.");
      return done;
    },
  };
  return {
    store: replyStore(postgresRunner(faulty), "one"),
    fail: (next) => {
      how = next;
    },
  };
}

test("a key whose reply could not be kept holds nobody up in its process", async () => {
  const { store, fail } = faultyStore();
  const attempt = await attemptOf(store);
  fail("before");
  await expect(store.keep(KEY, reply({}))).rejects.toThrow("away");
  fail("never");
  expect(await other.claim(KEY, "h", NOW)).toEqual({ state: "pending" });
  expect(await store.claim(KEY, "another", NOW)).toMatchObject({ state: "claimed" });
  await store.release(KEY);
  expect(await attemptOf(store)).toBe(attempt);
  expect(await store.claim(KEY, "h", NOW)).toEqual({ state: "pending" });
});

test("a claim that nobody was told of holds nobody up in its process, and one that was told of does", async () => {
  const { store, fail } = faultyStore();
  fail("after");
  await expect(store.claim(KEY, "h", NOW)).rejects.toThrow("away");
  fail("never");
  await attemptOf(store);
  fail("after");
  await expect(store.claim(KEY, "h", NOW)).rejects.toThrow("away");
  fail("never");
  expect(await store.claim(KEY, "h", NOW)).toEqual({ state: "pending" });
  // Its own process knows that it is still at it.
  expect(await store.claim(KEY, "h", NOW + HOUR_MS)).toEqual({ state: "pending" });
});

test("a key means another request after a day", async () => {
  const attempt = await attemptOf(one);
  await one.keep(KEY, reply({}));
  expect(await one.claim(KEY, "another", NOW + DAY_MS)).toEqual({ state: "other_request" });
  expect(await attemptOf(other, "h", NOW + DAY_MS + 1)).not.toBe(attempt);
});

const BODIES = {
  row: { id: "a", content: "x" },
  pair: { newer: { id: "b" }, older: { id: "a" } },
  elsewhere: { items: [{ id: "a" }] },
  list: [{ id: "a" }],
} as const;

async function keepAll(): Promise<void> {
  for (const [key, body] of Object.entries(BODIES)) {
    await one.claim({ ...KEY, key }, "h", NOW);
    await one.keep({ ...KEY, key }, reply(body));
  }
  await one.claim({ ...KEY, key: "empty" }, "h", NOW);
  await one.keep({ ...KEY, key: "empty" }, { status: 204, body: null });
}

const keysLeft = async (): Promise<string[]> => {
  const rows = await engine.look((work) => work.rows<{ key: string }>(sql`select key from kept_replies order by key`));
  return rows.map(({ key }) => key);
};

test("replies that show a row are found and forgotten", async () => {
  await keepAll();
  const forgetting = forgettingStore(postgresRunner(engine), fakeClock());
  const traces = await forgetting.traces(TENANT, [
    { id: "a", target: "a" },
    { id: "b", target: "b" },
  ]);
  expect(traces).toEqual({ audit_entries: 0, kept_replies: 2 });
  await engine.write("elsewhere", (work) => within(work, (unit) => eraseReplies(unit, ["a"])));
  expect(await keysLeft()).toHaveLength(5);
  await engine.write(TENANT, (work) => within(work, (unit) => eraseReplies(unit, ["a"])));
  expect(await keysLeft()).toEqual(["elsewhere", "empty", "list"]);
});

test("replies are looked through a few at a time, and go when their day is over", async () => {
  await keepAll();
  const forgetting = forgettingStore(postgresRunner(engine), fakeClock());
  const { rows, next } = await forgetting.held("kept_replies", { tenant_id: TENANT }, 0);
  const texts = Object.values(BODIES).map((body) => JSON.stringify(body));
  expect(rows.map(({ text }, i) => text.includes(texts[i] ?? "nothing"))).toEqual(texts.map(() => true));
  expect(await forgetting.held("kept_replies", { tenant_id: TENANT }, next ?? 0)).toEqual({ rows: [], next: null });
  const actor = { agent_id: null, auth_source: "standalone" } as const;
  await forgetting.erase("kept_replies", TENANT, rows.slice(0, 1), actor);
  expect(await keysLeft()).toEqual(["elsewhere", "empty", "list", "pair"]);
  const retention = retentionStore(postgresRunner(engine), LEFT_TO_SERVER);
  expect(await retention.removeSpent(NOW + DAY_MS, 10)).toBe(0);
  expect(await retention.removeSpent(NOW + DAY_MS + 1, 3)).toBe(3);
  expect(await retention.removeSpent(NOW + DAY_MS + 1, 3)).toBe(1);
});
