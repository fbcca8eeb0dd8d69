import { call } from "../../api/call.ts";
import { CallProblem } from "../../api/problem.ts";
import type { Keystone, KeystoneProposal, KeystoneWrite } from "../../api/schemas.gen.ts";
import { toast } from "../../kit/toast.tsx";
import { asRule, asWritten, boundBy, isSamePlace, placeOf, placeOfWritten, RULES } from "./rule.ts";

/** The rule of a row; null where it is no more. Throws CallProblem. */
async function findRule({ id }: Keystone): Promise<Keystone | null> {
  try {
    const found = asRule(await call("getDocument", { path: { doc_id: id }, query: { collection: RULES } }));
    return found.id === id ? found : null;
  } catch (error) {
    if (error instanceof CallProblem && error.status === 404) return null;
    throw error;
  }
}

/** Rules that are looked through for one of a name. */
const LOOKED_AT = 1_000;

/** Throws CallProblem where a rule of this name stands at this place. */
async function requireFree(body: KeystoneWrite): Promise<void> {
  const { scope, fleet_id, agent_id } = placeOfWritten(body);
  const where = { scope, ...(agent_id === null ? {} : { agent_id }) };
  const bound = { where, ...(fleet_id === null ? {} : { fleet_id }) };
  const found = await call("queryDocuments", { body: { collection: RULES, ...bound, limit: LOOKED_AT } });
  const isTaken = found
    .map(asRule)
    .some((rule) => rule.doc_id === body.doc_id && isSamePlace(placeOf(rule), placeOfWritten(body)));
  if (isTaken) throw new CallProblem(409, "CONFLICT", `There is a rule named '${body.doc_id}' there already.`);
}

/** Writes a rule at its place, beside those of its name elsewhere. */
const write = (body: KeystoneWrite): Promise<Keystone> =>
  call("writeKeystone", { body: { ...body, ...placeOfWritten(body), place: true } });

/** What says in a query which rule is meant. */
function placeQuery(rule: Keystone) {
  const { scope, fleet_id, agent_id } = placeOf(rule);
  const fleet = fleet_id === null ? {} : { fleet_id };
  return { scope, ...fleet, ...(agent_id === null ? {} : { agent_id }), place: true };
}

/** Writes a rule that does not exist yet. Throws CallProblem, also where there is one of this name at its place. */
export async function createRule(body: KeystoneWrite): Promise<Keystone> {
  await requireFree(body);
  const written = await write(body);
  toast(`Written: ${written.doc_id}, which binds ${boundBy(written)}.`);
  return written;
}

/**
 * Replaces a rule, with a way back; at another place it is written first, and then goes from where it stood. Throws CallProblem,
 * also where it is no longer as it was when editing began.
 */
export async function replaceRule(before: Keystone, body: KeystoneWrite): Promise<Keystone> {
  const current = await findRule(before);
  if (current?.updated_at !== before.updated_at)
    throw new CallProblem(409, "CONFLICT", "Somebody changed or deleted this rule meanwhile.");
  const isMoved = !isSamePlace(placeOf(before), placeOfWritten(body));
  if (isMoved) await requireFree(body);
  const written = await write(body);
  if (isMoved) await call("removeKeystone", { path: { doc_id: before.doc_id }, query: placeQuery(before) });
  toast("Saved.", { undo: () => replaceRule(written, asWritten(before)) });
  return written;
}

/** Deletes a rule, with a way back. Throws CallProblem. */
export async function deleteRule(rule: Keystone): Promise<void> {
  await call("removeKeystone", { path: { doc_id: rule.doc_id }, query: placeQuery(rule) });
  toast(`Deleted ${rule.doc_id}, which bound ${boundBy(rule)}.`, { undo: () => createRule(asWritten(rule)) });
}

/** Locks a rule against all but administrators, or opens it again. Throws CallProblem. */
export async function lockRule(rule: Keystone, locked: boolean): Promise<void> {
  const { doc_id } = rule;
  await call("lockKeystone", { path: { doc_id }, body: { ...placeOf(rule), place: true, locked } });
  toast(`${locked ? "Locked" : "Unlocked"} ${doc_id}.`);
}

/** Makes a proposal the rule, as it is shown here. Throws CallProblem, also where it or the rule changed meanwhile. */
export async function acceptProposal({ doc_id, version, place }: KeystoneProposal): Promise<void> {
  await call("acceptKeystoneProposal", { path: { doc_id }, body: { ...place, place: true, version } });
  toast(`Accepted: ${doc_id}.`);
}

/** Drops a proposal. Throws CallProblem. */
export async function dismissProposal({ doc_id, version, place }: KeystoneProposal): Promise<void> {
  await call("dismissKeystoneProposal", { path: { doc_id }, body: { ...place, place: true, version } });
  toast(`Dismissed what was proposed of ${doc_id}.`);
}
