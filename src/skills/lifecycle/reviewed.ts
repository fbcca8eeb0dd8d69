import { actorOf } from "../../access/actor.ts";
import { requireTenant } from "../../access/tenant.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { StoredDocument } from "../../core/ports/document-store.ts";
import type { InboxMoved } from "../../core/schema/skill.ts";
import { SKILLS, slugOf } from "../../core/schema/skill.ts";
import { noSuchDocument } from "../../documents/view.ts";
import type { SkillsFactory } from "./factory.ts";
import { requireFactory, requireReviewer } from "./inbox.ts";
import type { SkillMove } from "./move.ts";
import { moveSkill } from "./move.ts";
import type { Move } from "./transitions.ts";
import { moved, nextStatus } from "./transitions.ts";

/** Which skill a reviewer means. */
export interface ReviewAddress {
  readonly tenant_id?: string | undefined;
  /** Its doc_id; a bare slug also means the one skill of that slug that the move fits. */
  readonly doc_id: string;
}

export interface Reviewed {
  readonly skill: StoredDocument;
  readonly factory: SkillsFactory;
}

/**
 * The skill that a reviewer wants to move. Throws SKILLS_FACTORY_DISABLED, SKILLS_INBOX_FORBIDDEN, TENANT_MISMATCH,
 * NOT_FOUND, and CONFLICT when its status has no such move.
 */
export async function underReview(
  ctx: Ctx,
  { tenant_id: named, doc_id }: ReviewAddress,
  move: Move,
): Promise<Reviewed> {
  const factory = await requireFactory(ctx);
  requireReviewer(ctx);
  const tenant_id = requireTenant(ctx, named);
  const family = await ctx.storage.skills.family(tenant_id, slugOf(doc_id));
  const exact = family.filter((one) => one.doc_id === doc_id);
  const isBare = slugOf(doc_id) === doc_id;
  const skill = theOneThatFits(exact.length === 0 && isBare ? family : exact, move);
  if (!skill) throw noSuchDocument();
  moved(skill.data.status, move);
  return { skill, factory };
}

/** The skill that a move fits; one that waits beside its live self comes after it. */
function theOneThatFits(family: readonly StoredDocument[], move: Move): StoredDocument | undefined {
  const fitting = family
    .filter(({ data }) => nextStatus(data.status, move) !== null)
    .toSorted((a, b) => Number(b.collection === SKILLS) - Number(a.collection === SKILLS));
  const addresses = [...new Set(fitting.map(({ doc_id }) => doc_id))];
  if (addresses.length <= 1) return fitting[0] ?? family[0];
  throw new AppError("CONFLICT", `This slug has several such skills; name one of ${addresses.join(", ")}.`, {
    addresses,
  });
}

/** Moves a skill in the name of its reviewer, and says so as the inbox does. */
export async function review(
  ctx: Ctx,
  action: Omit<SkillMove, "actor"> & { readonly detail?: string | null },
): Promise<InboxMoved> {
  const { detail = null, ...move } = action;
  const after = await moveSkill(ctx, { ...move, actor: actorOf(ctx) });
  const { status } = move.seen.data;
  return { slug: after.doc_id, previous_status: String(status), new_status: String(after.data.status), detail };
}
