import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { sha256 } from "../../core/kernel/hash.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import type { KeptReply, ReplyClaim, ReplyKey, ReplyStore } from "../../core/ports/account-stores.ts";
import type { Unit } from "../units/unit.ts";
import { row, run } from "../units/unit.ts";
import type { Runner, TenantWork, Work } from "../units/work.ts";

/** How long a key means the request that claimed it. */
const KEPT_MS = 24 * 60 * 60_000;
/**
 * How long a claim holds others up when nobody is heard of it again. A request is answered within three quarters of a minute,
 * and what still goes on after that is stopped by the limits of models and of statements, in less than this.
 */
const HELD_MS = 5 * 60_000;

/** A reply store that gives back what it holds when it is closed; where that cannot be written, its time ends. */
export interface ClosableReplyStore extends ReplyStore {
  close(): Promise<void>;
}

const at = ({ tenant_id, credential, key }: ReplyKey): SQL =>
  sql`tenant_id = ${tenant_id} and credential = ${credential} and key = ${key}`;

const nameOf = ({ tenant_id, credential, key }: ReplyKey): string => JSON.stringify([tenant_id, credential, key]);

/** Replies kept by Idempotency-Key; `holder` names this process among those that use the tables. */
export function replyStore({ change }: Pick<Runner, "change">, holder: string): ClosableReplyStore {
  let claims = 0;
  /** What this process claimed, by its key: from within the transaction on, for others may come in the same one. */
  const inHand = new Map<string, Held>();
  /** Claims that are over, and of which that could not be written, with when it no longer matters. */
  const over = new Map<string, number>();
  const leave = ({ held_by, held_until }: Held) => over.set(held_by, held_until);
  const drop = (key: ReplyKey, held: Held) => {
    if (inHand.get(nameOf(key)) === held) inHand.delete(nameOf(key));
  };

  /** Whether or not it can be written: nobody is to wait for a request that is over. */
  const end = async (key: ReplyKey, body: (work: Work, own: SQL) => Unit<unknown>): Promise<void> => {
    const held = inHand.get(nameOf(key));
    if (!held) return;
    try {
      await change((work) =>
        body(work, work.dialect.hasOthers ? sql`${at(key)} and held_by = ${held.held_by}` : at(key)),
      );
    } catch (error) {
      leave(held);
      throw error;
    } finally {
      drop(key, held);
    }
  };
  return {
    claim: async (key, request_hash, nowMs) => {
      for (const [claim, until] of over) if (until <= nowMs) over.delete(claim);
      // Each has a name of its own: whether one was written whose reply got lost, this process cannot know.
      const own = { held_by: `${holder}/${++claims}`, held_until: nowMs + HELD_MS };
      const isHeld = (kept: Kept): boolean => {
        const mine = inHand.get(nameOf(key));
        // Where there is no other process, a claim that is not in hand is left from one that died.
        if (kept.held_by === undefined) return mine !== undefined;
        if (kept.held_by === null) return false;
        return mine?.held_by === kept.held_by || ((kept.held_until ?? 0) > nowMs && !over.has(kept.held_by));
      };
      try {
        const found = await change(function* (work) {
          const found = yield* claim(work, key, { request_hash, nowMs, own, isHeld });
          if (found.state === "claimed") inHand.set(nameOf(key), own);
          return found;
        });
        // A transaction that ran twice may have claimed it before.
        if (found.state !== "claimed") drop(key, own);
        return found;
      } catch (error) {
        drop(key, own);
        leave(own);
        throw error;
      }
    },
    keep: (key, reply) => end(key, (work, own) => keep(work, own, reply)),
    release: (key) => end(key, (_, own) => run(sql`delete from kept_replies where ${own}`)),
    close: async () => {
      await change(function* ({ dialect }) {
        if (!dialect.hasOthers) return;
        yield* run(sql`update kept_replies set held_by = null, held_until = null
          where substr(held_by, 1, ${holder.length + 1}) = ${`${holder}/`}`);
      }).catch(() => {});
    },
  };
}

const keep = ({ dialect }: Work, own: SQL, { status, body }: KeptReply): Unit<number> =>
  run(sql`update kept_replies set status = ${status}, body = cast(${body} as text)${dialect.shown(shownIn(body))}
      ${dialect.hasOthers ? sql`, held_by = null, held_until = null` : sql``}
    where ${own}`);

/** The rows that a reply shows, at the places where it may. */
function shownIn(body: string | null): string[] {
  const reply = body === null ? null : parsed(body);
  return [reply, memberOf(reply, "newer"), memberOf(reply, "older")]
    .map((shown) => memberOf(shown, "id"))
    .filter((id) => typeof id === "string");
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

const memberOf = (value: unknown, name: string): unknown => (isJsonObject(value) ? value[name] : undefined);

/** Forgets the replies that show any of these rows, inside the caller's transaction. */
export function* eraseReplies({ dialect, tenant_id }: TenantWork, ids: readonly string[]): Unit<void> {
  if (ids.length === 0) return;
  yield* run(
    sql`delete from kept_replies where ${dialect.belongs("kept_replies", tenant_id)} and ${dialect.showsAny(ids)}`,
  );
}

/** Which claim holds a key, and how long at most. */
interface Held {
  readonly held_by: string;
  readonly held_until: number;
}

interface Kept {
  readonly request_hash: string;
  readonly expires: number;
  readonly status: number | null;
  readonly body: string | null;
  /** Of what nobody else can have in hand, rows do not tell. */
  readonly held_by?: string | null;
  readonly held_until?: number | null;
}

interface Claimant {
  readonly request_hash: string;
  readonly nowMs: number;
  readonly own: Held;
  /** Whether a request that is still being answered, here or elsewhere, has the key. */
  isHeld(kept: Kept): boolean;
}

function* claim({ dialect }: Work, key: ReplyKey, { request_hash, nowMs, own, isHeld }: Claimant): Unit<ReplyClaim> {
  const { hasOthers } = dialect;
  const fresh = { request_hash, expires: nowMs + KEPT_MS };
  const attempt = attemptOf(key, fresh);
  yield* run(sql`delete from kept_replies where ${at(key)} and expires < ${nowMs}`);
  const added = yield* run(sql`
    insert into kept_replies (tenant_id, credential, key, request_hash, expires
      ${hasOthers ? sql`, attempt, held_by, held_until` : sql``})
    values (${key.tenant_id}, ${key.credential}, ${key.key}, ${request_hash}, ${fresh.expires}
      ${hasOthers ? sql`, ${attempt}, ${own.held_by}, ${own.held_until}` : sql``})
    on conflict do nothing`);
  if (added > 0) return { state: "claimed", attempt };
  // Whoever else is about to take it over is waited for.
  const kept = yield* row<Kept>(sql`select request_hash, expires, status, body
      ${hasOthers ? sql`, held_by, held_until` : sql``}
    from kept_replies where ${at(key)} ${hasOthers ? sql`for update` : sql``}`);
  // It went between the two statements: the caller asks again.
  if (!kept) return { state: "pending" };
  if (kept.status !== null || isHeld(kept)) return stateOf(kept, request_hash);
  const next = kept.request_hash === request_hash ? kept : fresh;
  const nextAttempt = attemptOf(key, next);
  yield* run(sql`update kept_replies set request_hash = ${next.request_hash}, expires = ${next.expires}
      ${hasOthers ? sql`, attempt = ${nextAttempt}, held_by = ${own.held_by}, held_until = ${own.held_until}` : sql``}
    where ${at(key)}`);
  return { state: "claimed", attempt: nextAttempt };
}

/** Another name for each use of a key: the same key may mean another request once its time is over. */
const attemptOf = (
  { tenant_id, credential, key }: ReplyKey,
  { request_hash, expires }: Pick<Kept, "request_hash" | "expires">,
): string => `once:${sha256(JSON.stringify([tenant_id, credential, key, request_hash, expires]))}`;

function stateOf(kept: Kept, request_hash: string): ReplyClaim {
  if (kept.request_hash !== request_hash) return { state: "other_request" };
  if (kept.status === null) return { state: "pending" };
  return { state: "done", reply: { status: kept.status, body: kept.body } };
}
