import { actorOf } from "../access/actor.ts";
import { isAdministrator } from "../access/person.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { DocumentChange, StoredDocument } from "../core/ports/document-store.ts";
import type { Authorship, Keystone, KeystoneData, RuleText } from "../core/schema/keystone.ts";
import type { RuleName } from "./rule.ts";
import { requireMayChange, requireTrustFor, ruleKey } from "./rule.ts";
import { keystoneData, toKeystoneView } from "./view.ts";

/** A rule as it is to be. */
export interface NewRule extends RuleName {
  readonly fleet_id: string | null;
  readonly text: RuleText;
  readonly authorship: Authorship;
  /** Absent leaves it as it is. */
  readonly locked?: boolean | undefined;
  readonly reason?: string;
}

/** What else is asked of the stored rule, under the lock; throws to refuse. */
export type Check = (current: StoredDocument | null) => void;

/**
 * Writes a rule, replacing the one of the same name. The trust it needs is the higher one of what the rule is and what it
 * was. Throws AGENT_TRUST_TOO_LOW, ADMIN_REQUIRED for a lock, and what `check` throws.
 */
export async function storeRule(ctx: Ctx, rule: NewRule, check: Check = () => {}): Promise<Keystone> {
  const { text, authorship, fleet_id, locked, reason } = rule;
  requireTrustFor(ctx, text, "write this keystone");
  const { after } = await ctx.storage.documents.upsert(ruleKey(rule), actorOf(ctx), (current) => {
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
  return toKeystoneView(after);
}

/** Deletes a rule; false when there is none. The trust it needs is that of the stored rule. Throws as `storeRule` does. */
export const dropRule = (ctx: Ctx, rule: RuleName, check: Check = () => {}): Promise<boolean> =>
  ctx.storage.documents.remove(ruleKey(rule), actorOf(ctx), (current) => {
    requireMayChange(ctx, current, "delete");
    check(current);
    return "keystone.delete";
  });

/** Locks a rule against all but administrators, or opens it again. Throws NOT_FOUND. Administrators only. */
export async function setLock(ctx: Ctx, rule: RuleName, locked: boolean): Promise<Keystone> {
  requireLocker(ctx);
  const { after } = await ctx.storage.documents.upsert(ruleKey(rule), actorOf(ctx), (current) => {
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
const changeTo = (fleet_id: string | null, data: KeystoneData): Omit<DocumentChange, "action"> => ({
  fleet_id,
  data,
  searchable: null,
  vector: null,
  embedded_by: null,
  jobsFor: () => [],
});
