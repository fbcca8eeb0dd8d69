import { isAdministrator } from "../access/person.ts";
import { requireTrust } from "../access/trust.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { DocumentKey, StoredDocument } from "../core/ports/document-store.ts";
import type { TrustLevel } from "../core/schema/access.ts";
import type { Rule, RuleText } from "../core/schema/keystone.ts";
import { KEYSTONES, WEIGHT_NAMES } from "../core/schema/keystone.ts";
import { shownName } from "../core/schema/keystones/names.ts";
import { keystoneData } from "./view.ts";

/** Names the rules of a tenant that go by one name. */
export interface RuleName {
  readonly tenant_id: string;
  readonly doc_id: string;
}

export const ruleKey = ({ tenant_id, doc_id }: RuleName): DocumentKey => ({ tenant_id, collection: KEYSTONES, doc_id });

/** The stored rules of a name, at all its places. */
export const rulesNamed = ({ storage }: Ctx, name: RuleName): Promise<StoredDocument[]> =>
  storage.documents.namesakes(ruleKey(name));

/** What a rule says, as it is stored. */
export const ruleText = ({ title, content, scope, weight, agent_id, author_user_id }: Rule): RuleText => ({
  title,
  content,
  weight: typeof weight === "number" ? weight : WEIGHT_NAMES[weight],
  scope,
  ...(agent_id == null ? {} : { agent_id }),
  ...(author_user_id == null ? {} : { author_user_id }),
});

/** An agent sets rules for itself with trust 1; rules that bind others take trust 2. Throws AGENT_TRUST_TOO_LOW. */
export function requireTrustFor(
  ctx: Ctx,
  { scope, agent_id }: Pick<RuleText | Rule, "scope" | "agent_id">,
  verb: string,
): void {
  const needed: TrustLevel = scope === "agent" && agent_id === ctx.principal.agent_id ? 1 : 2;
  requireTrust(ctx, needed, verb);
}

/** Throws AGENT_TRUST_TOO_LOW, or ADMIN_REQUIRED for a locked rule, where the caller may not change the stored one. */
export function requireMayChange(ctx: Ctx, current: StoredDocument | null, verb: string): void {
  if (current === null) return;
  const data = keystoneData(current);
  requireTrustFor(ctx, data, `${verb} this keystone`);
  if (data.locked === true && !isAdministrator(ctx))
    throw new AppError(
      "ADMIN_REQUIRED",
      `Rule '${shownName(current)}' is locked: only an administrator may ${verb} it, or unlock it.`,
    );
}
