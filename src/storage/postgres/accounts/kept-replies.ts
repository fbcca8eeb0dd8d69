import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { sha256 } from "../../../core/kernel/hash.ts";
import { isJsonObject } from "../../../core/kernel/json.ts";
import type { KeptReply, ReplyClaim, ReplyKey, ReplyStore } from "../../../core/ports/account-stores.ts";
import { textArray } from "../engine/values.ts";
import type { Engine, TenantWork, Work } from "../engine/work.ts";

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

/** Replies kept by Idempotency-Key, over Postgres; `holder` names this process among those that use the database. */
export function postgresReplyStore(engine: Engine, holder: string): ClosableReplyStore {
  let claims = 0;
  /** What this process claimed, by its key. */
  const inHand = new Map<string, Held>();
  /** Claims that are over, and of which that could not be written, with when it no longer matters. */
  const over = new Map<string, number>();
  const leave = ({ held_by, held_until }: Held) => over.set(held_by, held_until);

  /** Whether or not it can be written: nobody is to wait for a request that is over. */
  const end = async (key: ReplyKey, body: (work: Work, own: SQL) => Promise<unknown>): Promise<void> => {
    const held = inHand.get(nameOf(key));
    if (!held) return;
    inHand.delete(nameOf(key));
    try {
      await engine.change((work) => body(work, sql`${at(key)} and held_by = ${held.held_by}`));
    } catch (error) {
      leave(held);
      throw error;
    }
  };
  return {
    claim: async (key, request_hash, nowMs) => {
      for (const [claim, until] of over) if (until <= nowMs) over.delete(claim);
      // Each has a name of its own: whether one was written whose reply got lost, this process cannot know.
      const own = { held_by: `${holder}/${++claims}`, held_until: nowMs + HELD_MS };
      const isHeld = ({ held_by, held_until }: Held) =>
        inHand.get(nameOf(key))?.held_by === held_by || (held_until > nowMs && !over.has(held_by));
      try {
        const found = await engine.change((work) => claim(work, key, { request_hash, nowMs, own, isHeld }));
        if (found.state === "claimed") inHand.set(nameOf(key), own);
        return found;
      } catch (error) {
        leave(own);
        throw error;
      }
    },
    keep: (key, reply) => end(key, (work, own) => keep(work, own, reply)),
    release: (key) => end(key, (work, own) => work.run(sql`delete from kept_replies where ${own}`)),
    close: async () => {
      const free = sql`update kept_replies set held_by = null, held_until = null
        where starts_with(held_by, ${`${holder}/`})`;
      await engine.look((work) => work.run(free)).catch(() => {});
    },
  };
}

const keep = (work: Work, own: SQL, { status, body }: KeptReply): Promise<number> =>
  work.run(sql`update kept_replies set status = ${status}, body = ${body}::text, shown_ids = ${textArray(shownIn(body))},
    held_by = null, held_until = null where ${own}`);

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

/** SQL of whether a kept reply shows any of these rows. */
export const showsAny = (ids: readonly string[]): SQL => sql`shown_ids && ${textArray(ids)}`;

/** Forgets the replies that show any of these rows, inside the caller's transaction. */
export async function eraseReplies(work: TenantWork, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await work.run(sql`delete from kept_replies where tenant_id = ${work.tenant_id} and ${showsAny(ids)}`);
}

/** Which claim holds a key, and how long at most. */
interface Held {
  readonly held_by: string;
  readonly held_until: number;
}

interface Claimant {
  readonly request_hash: string;
  readonly nowMs: number;
  readonly own: Held;
  /** Whether a request that is still being answered, here or elsewhere, has a claim. */
  isHeld(claim: Held): boolean;
}

interface Kept {
  readonly request_hash: string;
  readonly expires: number;
  readonly status: number | null;
  readonly body: string | null;
  readonly attempt: string;
  readonly held_by: string | null;
  readonly held_until: number | null;
}

async function claim(work: Work, key: ReplyKey, { request_hash, nowMs, own, isHeld }: Claimant): Promise<ReplyClaim> {
  const fresh = { request_hash, expires: nowMs + KEPT_MS };
  const attempt = attemptOf(key, fresh);
  await work.run(sql`delete from kept_replies where ${at(key)} and expires < ${nowMs}`);
  const added = await work.run(sql`
    insert into kept_replies (tenant_id, credential, key, request_hash, expires, attempt, held_by, held_until)
    values (${key.tenant_id}, ${key.credential}, ${key.key}, ${request_hash}, ${fresh.expires}, ${attempt},
      ${own.held_by}, ${own.held_until})
    on conflict do nothing`);
  if (added > 0) return { state: "claimed", attempt };
  // Whoever else is about to take it over is waited for.
  const kept = await work.row<Kept>(sql`select request_hash, expires, status, body, attempt, held_by, held_until
    from kept_replies where ${at(key)} for update`);
  // It went between the two statements: the caller asks again.
  if (!kept) return { state: "pending" };
  const { held_by, held_until } = kept;
  if (kept.status !== null || (held_by !== null && isHeld({ held_by, held_until: held_until ?? 0 })))
    return stateOf(kept, request_hash);
  const next = kept.request_hash === request_hash ? kept : { ...fresh, attempt };
  await work.run(sql`update kept_replies set request_hash = ${next.request_hash}, expires = ${next.expires},
    attempt = ${next.attempt}, held_by = ${own.held_by}, held_until = ${own.held_until} where ${at(key)}`);
  return { state: "claimed", attempt: next.attempt };
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
