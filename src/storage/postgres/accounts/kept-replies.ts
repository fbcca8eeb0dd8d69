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
  // Requests of this process that are over, and of which that could not be written: they hold nobody up.
  const over = new Set<string>();
  /** Whether or not it can be written: nobody is to wait for a request that is over. */
  const end = async (key: ReplyKey, body: (work: Work) => Promise<unknown>): Promise<void> => {
    try {
      await engine.change(body);
    } catch (error) {
      over.add(nameOf(key));
      throw error;
    }
  };
  return {
    claim: async (key, request_hash, nowMs) => {
      const isOver = over.has(nameOf(key));
      const found = await engine.change((work) => claim(work, key, { request_hash, nowMs, holder, isOver }));
      if (found.state === "claimed") over.delete(nameOf(key));
      return found;
    },
    keep: (key, reply) => end(key, (work) => keep(work, key, reply, holder)),
    release: (key) =>
      end(key, (work) => work.run(sql`delete from kept_replies where ${at(key)} and held_by = ${holder}`)),
    close: async () => {
      const free = sql`update kept_replies set held_by = null, held_until = null where held_by = ${holder}`;
      await engine.look((work) => work.run(free)).catch(() => {});
    },
  };
}

const keep = (work: Work, key: ReplyKey, { status, body }: KeptReply, holder: string): Promise<number> =>
  work.run(sql`update kept_replies set status = ${status}, body = ${body}::text, shown_ids = ${textArray(shownIn(body))},
    held_by = null, held_until = null where ${at(key)} and held_by = ${holder}`);

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

interface Claimant {
  readonly request_hash: string;
  readonly nowMs: number;
  readonly holder: string;
  /** Whether what this process held of the key is over. */
  readonly isOver: boolean;
}

interface Kept extends KeptRequest {
  readonly status: number | null;
  readonly body: string | null;
  readonly attempt: string;
  readonly held_by: string | null;
  readonly held_until: number | null;
}

interface KeptRequest {
  readonly request_hash: string;
  readonly expires: number;
}

async function claim(work: Work, key: ReplyKey, claimant: Claimant): Promise<ReplyClaim> {
  const { request_hash, nowMs, holder } = claimant;
  const fresh = { request_hash, expires: nowMs + KEPT_MS };
  const attempt = attemptOf(key, fresh);
  await work.run(sql`delete from kept_replies where ${at(key)} and expires < ${nowMs}`);
  const added = await work.run(sql`
    insert into kept_replies (tenant_id, credential, key, request_hash, expires, attempt, held_by, held_until)
    values (${key.tenant_id}, ${key.credential}, ${key.key}, ${request_hash}, ${fresh.expires}, ${attempt},
      ${holder}, ${nowMs + HELD_MS})
    on conflict do nothing`);
  if (added > 0) return { state: "claimed", attempt };
  // Whoever else is about to take it over is waited for.
  const kept = await work.row<Kept>(sql`select request_hash, expires, status, body, attempt, held_by, held_until
    from kept_replies where ${at(key)} for update`);
  // It went between the two statements: the caller asks again.
  if (!kept) return { state: "pending" };
  if (kept.status !== null || isHeld(kept, claimant)) return stateOf(kept, request_hash);
  const next = kept.request_hash === request_hash ? kept : { ...fresh, attempt };
  await work.run(sql`update kept_replies set request_hash = ${next.request_hash}, expires = ${next.expires},
    attempt = ${next.attempt}, held_by = ${holder}, held_until = ${nowMs + HELD_MS} where ${at(key)}`);
  return { state: "claimed", attempt: next.attempt };
}

/** Whether a request that is still being answered holds the key, of this process or of another. */
const isHeld = ({ held_by, held_until }: Kept, { holder, nowMs, isOver }: Claimant): boolean =>
  (held_until ?? 0) > nowMs && !(isOver && held_by === holder);

/** Another name for each use of a key: the same key may mean another request once its time is over. */
const attemptOf = ({ tenant_id, credential, key }: ReplyKey, { request_hash, expires }: KeptRequest): string =>
  `once:${sha256(JSON.stringify([tenant_id, credential, key, request_hash, expires]))}`;

function stateOf(kept: Kept, request_hash: string): ReplyClaim {
  if (kept.request_hash !== request_hash) return { state: "other_request" };
  if (kept.status === null) return { state: "pending" };
  return { state: "done", reply: { status: kept.status, body: kept.body } };
}
