import { call } from "../../api/call.ts";
import { CallProblem } from "../../api/problem.ts";
import type { Document, Keystone, KeystoneProposal, KeystoneWrite } from "../../api/schemas.gen.ts";
import { toast } from "../../kit/toast.tsx";
import { asRule, asWritten, RULES } from "./rule.ts";

/** The rule of a name; null where there is none. Throws CallProblem. */
async function findRule(doc_id: string): Promise<Keystone | null> {
  try {
    const found: Document = await call("getDocument", { path: { doc_id }, query: { collection: RULES } });
    return found.doc_id === doc_id ? asRule(found) : null;
  } catch (error) {
    if (error instanceof CallProblem && error.status === 404) return null;
    throw error;
  }
}

/** Writes a rule that does not exist yet. Throws CallProblem, also where there is one of this name. */
export async function createRule(body: KeystoneWrite): Promise<Keystone> {
  if (await findRule(body.doc_id))
    throw new CallProblem(409, "CONFLICT", `There is a rule named '${body.doc_id}' already.`);
  const written = await call("writeKeystone", { body });
  toast(`Written: ${written.doc_id}.`);
  return written;
}

/** Replaces a rule, with a way back. Throws CallProblem, also where it is no longer as it was when editing began. */
export async function replaceRule(before: Keystone, body: KeystoneWrite): Promise<Keystone> {
  const current = await findRule(before.doc_id);
  if (current?.updated_at !== before.updated_at)
    throw new CallProblem(409, "CONFLICT", "Somebody changed or deleted this rule meanwhile.");
  const written = await call("writeKeystone", { body });
  toast("Saved.", { undo: () => replaceRule(written, asWritten(before)) });
  return written;
}

/** Deletes a rule, with a way back. Throws CallProblem. */
export async function deleteRule(rule: Keystone): Promise<void> {
  await call("removeKeystone", { path: { doc_id: rule.doc_id } });
  toast(`Deleted ${rule.doc_id}.`, { undo: () => createRule(asWritten(rule)) });
}

/** Locks a rule against all but administrators, or opens it again. Throws CallProblem. */
export async function lockRule({ doc_id }: Keystone, locked: boolean): Promise<void> {
  await call("lockKeystone", { path: { doc_id }, body: { locked } });
  toast(`${locked ? "Locked" : "Unlocked"} ${doc_id}.`);
}

/** Makes a proposal the rule, as it is shown here. Throws CallProblem, also where it or the rule changed meanwhile. */
export async function acceptProposal({ doc_id, version }: KeystoneProposal): Promise<void> {
  await call("acceptKeystoneProposal", { path: { doc_id }, body: { version } });
  toast(`Accepted: ${doc_id}.`);
}

/** Drops a proposal. Throws CallProblem. */
export async function dismissProposal({ doc_id, version }: KeystoneProposal): Promise<void> {
  await call("dismissKeystoneProposal", { path: { doc_id }, body: { version } });
  toast(`Dismissed what was proposed of ${doc_id}.`);
}
