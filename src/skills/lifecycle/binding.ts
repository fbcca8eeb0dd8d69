import type { JsonObject } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import type { StoredDocument } from "../../core/ports/document-store.ts";
import { SKILLS } from "../../core/schema/skill.ts";

/** The active skills of a slug, whatever their provenance; the one changed last comes first. */
export const liveOf = (family: readonly StoredDocument[]): StoredDocument[] =>
  family.filter(({ data }) => data.status === "active").toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1));

/** What an update says that it changes. */
export interface Target {
  readonly hash: string | null;
  /** Where the skill lay when the update was written. */
  readonly doc_id: string | null;
}

/** What an update says that it changes, by the hash of its content and by address; null for what it does not say. */
export function targetOf({ target }: JsonObject): Target {
  const { target_content_hash, doc_id } = isJsonObject(target) ? target : {};
  return {
    hash: typeof target_content_hash === "string" && target_content_hash !== "" ? target_content_hash : null,
    doc_id: typeof doc_id === "string" ? doc_id : null,
  };
}

export type Binding = "bound" | "no_target" | "no_live_skill" | "no_live_hash" | "other_hash";

/**
 * Whether what an update changes is still what it was written for. A skill that is no update is bound to nothing; an update
 * written over its own target has replaced it already.
 */
export function bindingOf(
  { id, collection, doc_id, data }: Pick<StoredDocument, "id" | "collection" | "doc_id" | "data">,
  family: readonly StoredDocument[],
): Binding {
  if (data.kind !== "update") return "bound";
  const target = targetOf(data);
  if (target.hash === null) return "no_target";
  if (target.doc_id === doc_id && collection === SKILLS) return "bound";
  const live = liveOf(family).filter((one) => one.id !== id);
  if (live.length === 0) return "no_live_skill";
  if (live.some((one) => one.data.content_hash === target.hash)) return "bound";
  return live.every((one) => typeof one.data.content_hash !== "string") ? "no_live_hash" : "other_hash";
}

/** Why an update does not fit what it changes. */
export const UNBOUND: Readonly<Record<Exclude<Binding, "bound"> | "unknown", string>> = {
  no_target: "target.target_content_hash is missing",
  no_live_skill: "no skill of its slug is active",
  no_live_hash: "the active skill has no content hash",
  other_hash: "the active skill has changed since",
  unknown: "its target could not be looked up",
};
