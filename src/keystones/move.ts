import { actorOf } from "../access/actor.ts";
import { preview } from "../core/kernel/text.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { StoredDocument } from "../core/ports/document-store.ts";
import { KEYSTONES } from "../core/schema/keystone.ts";
import { KEYSTONE_PROPOSALS, ProposalData } from "../core/schema/keystone-proposal.ts";
import { shownName } from "../core/schema/keystones/names.ts";
import { isSamePlace, placeOf } from "../core/schema/keystones/place.ts";
import { proposalChange } from "./proposals.ts";
import { rulesNamed } from "./rule.ts";
import { changeTo } from "./store.ts";
import { keystoneData } from "./view.ts";

/** Rules of a fleet that are read at once. */
const READ = 200;

/**
 * Moves the rules of one fleet to another one. Where a rule of the same name stands at that place already, the moved one that says the
 * same goes, and another one gets a name of its own beside it: no rule vanishes. Returns how many there were.
 */
export async function moveRules(
  ctx: Ctx,
  { tenant_id, from, into }: { readonly tenant_id: string; readonly from: string; readonly into: string },
): Promise<number> {
  const filter = { tenant_id, collection: KEYSTONES, fleet_id: from };
  const rules = await ctx.storage.documents.list({ filter, order: "asc", offset: 0, limit: READ });
  for (const rule of rules) await moveRule(ctx, rule, into);
  await moveProposals(ctx, { tenant_id, from, into });
  return rules.length < READ ? rules.length : rules.length + (await moveRules(ctx, { tenant_id, from, into }));
}

/** What is proposed for the one fleet is proposed for the other. */
async function moveProposals(ctx: Ctx, { tenant_id, from, into }: Parameters<typeof moveRules>[1]): Promise<void> {
  const { documents } = ctx.storage;
  const filter = { tenant_id, collection: KEYSTONE_PROPOSALS, fleet_id: from };
  for (const { collection, doc_id, data } of await documents.list({ filter, order: "asc", offset: 0, limit: READ })) {
    const { place, ...proposal } = ProposalData.parse(data);
    const moved = { ...proposal, ...(place ? { place: { ...place, fleet_id: into } } : {}) };
    const change = proposalChange({ fleet_id: into, data: moved });
    await documents.upsert({ tenant_id, collection, doc_id }, actorOf(ctx), () => ({
      ...change,
      action: "keystone_proposal.move",
    }));
  }
}

async function moveRule(ctx: Ctx, rule: StoredDocument, into: string): Promise<void> {
  const { tenant_id, collection, doc_id } = rule;
  const { documents } = ctx.storage;
  const data = keystoneData(rule);
  const name = shownName(rule);
  const others = await rulesNamed(ctx, { tenant_id, doc_id: name });
  const place = placeOf(into, data);
  const twin = others.find((one) => isSamePlace(placeOf(one.fleet_id, keystoneData(one)), place));
  const own = { tenant_id, collection, doc_id };
  const moved = { ...changeTo(into, data), action: "keystone.move" };
  if (!twin) await documents.upsert(own, actorOf(ctx), () => moved);
  else {
    if (keystoneData(twin).content !== data.content)
      await documents.upsert({ ...own, doc_id: await freeName(ctx, tenant_id, name) }, actorOf(ctx), () => moved);
    await documents.remove(own, actorOf(ctx), () => "keystone.delete");
  }
}

/** A name that no rule has, as near to one as may be. */
async function freeName(ctx: Ctx, tenant_id: string, name: string): Promise<string> {
  for (let number = 2; ; number++) {
    const doc_id = `${preview(name, NAME_MAX)}-${number}`;
    if ((await rulesNamed(ctx, { tenant_id, doc_id })).length === 0) return doc_id;
  }
}
/** Leaves room for a number within the hundred characters of a name. */
const NAME_MAX = 90;
