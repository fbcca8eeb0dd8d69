import { actorOf } from "../access/actor.ts";
import { isAdministrator } from "../access/person.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { DocumentChange, StoredDocument } from "../core/ports/document-store.ts";
import type { Authorship, Keystone, KeystoneData, RuleText } from "../core/schema/keystone.ts";
import type { PlaceAsked } from "../core/schema/keystones/place.ts";
import { placeOf } from "../core/schema/keystones/place.ts";
import { meantAt, writtenAt } from "./place.ts";
import type { RuleName } from "./rule.ts";
import { requireMayChange, requireTrustFor, ruleKey } from "./rule.ts";
import { keystoneData, toKeystoneView } from "./view.ts";

/** A rule as it is to be. */
export interface NewRule extends RuleName {
  readonly fleet_id: string | null;
  /** Whether it stands beside the rules of its name at other places; else it replaces the only one there is. */
  readonly keepsOthers: boolean;
  readonly text: RuleText;
  readonly authorship: Authorship;
  /** Absent leaves it as it is. */
  readonly locked?: boolean | undefined;
  readonly reason?: string;
}

/** What else is asked of the stored rule, under the lock; throws to refuse. */
export type Check = (current: StoredDocument | null) => void;

/** Which of the rules of a name is meant. */
export interface RuleMeant extends RuleName {
  readonly asked: PlaceAsked;
}

/**
 * Writes a rule, replacing the one of the same name at its place, or the only one of this name. The trust it needs is the higher one of what the rule is and what it
 * was. Throws AGENT_TRUST_TOO_LOW, ADMIN_REQUIRED for a lock, and what `check` throws.
 */
export async function storeRule(ctx: Ctx, rule: NewRule, check: Check = () => {}): Promise<Stored> {
  const { text, authorship, fleet_id, locked, reason, keepsOthers } = rule;
  requireTrustFor(ctx, text, "write this keystone");
  const name = writtenAt(ruleKey(rule), { place: placeOf(fleet_id, text), keepsOthers });
  const { before, after } = await ctx.storage.documents.upsert(name, actorOf(ctx), (current) => {
    requireMayChange(ctx, current, "replace");
    check(current);
    const was = current !== null && keystoneData(current).locked === true;
    const is = locked ?? was;
    if (is !== was) requireLocker(ctx);
    const data = { ...text, ...authorship, ...lockOf(is) };
    const { documents_limit } = ctx.limits;
    const action = current ? "keystone.update" : "keystone.create";
    return { ...changeTo(fleet_id, data), documents_limit, action, reason };
  });
  return { rule: toKeystoneView(after), replaced: before && toKeystoneView(before) };
}

interface Stored {
  readonly rule: Keystone;
  readonly replaced: Keystone | null;
}

/**
 * Deletes a rule and returns it; null when there is none. The trust it needs is that of the stored rule. Throws as `storeRule`
 * does, and CONFLICT where several are meant.
 */
export async function dropRule(ctx: Ctx, rule: RuleMeant, check: Check = () => {}): Promise<Keystone | null> {
  let dropped: Keystone | null = null;
  await ctx.storage.documents.remove(meantAt(ruleKey(rule), rule.asked), actorOf(ctx), (current) => {
    requireMayChange(ctx, current, "delete");
    check(current);
    dropped = toKeystoneView(current);
    return "keystone.delete";
  });
  return dropped;
}

/**
 * Locks a rule against all but administrators, or opens it again. Throws NOT_FOUND, and CONFLICT where several are meant.
 * Administrators only.
 */
export async function setLock(ctx: Ctx, rule: RuleMeant, locked: boolean): Promise<Keystone> {
  requireLocker(ctx);
  const { after } = await ctx.storage.documents.upsert(meantAt(ruleKey(rule), rule.asked), actorOf(ctx), (current) => {
    if (!current) throw noSuchRule();
    const { locked: _was, ...data } = keystoneData(current);
    const action = locked ? "keystone.lock" : "keystone.unlock";
    return { ...changeTo(current.fleet_id, { ...data, ...lockOf(locked) }), action };
  });
  return toKeystoneView(after);
}

export const noSuchRule = (): AppError => new AppError("NOT_FOUND", "No such keystone.");

function requireLocker(ctx: Ctx): void {
  if (!isAdministrator(ctx)) throw new AppError("ADMIN_REQUIRED", "Only an administrator locks or unlocks a rule.");
}

const lockOf = (locked: boolean): { locked?: true } => (locked ? { locked } : {});

/** Search never reaches a rule. */
export const changeTo = (fleet_id: string | null, data: KeystoneData): Omit<DocumentChange, "action"> => ({
  fleet_id,
  data,
  searchable: null,
  vector: null,
  embedded_by: null,
  jobsFor: () => [],
});
