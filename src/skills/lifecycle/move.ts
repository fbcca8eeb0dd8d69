import { toTimestamp } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import type { Services } from "../../core/ports/context.ts";
import type { StoredDocument } from "../../core/ports/document-store.ts";
import type { Actor } from "../../core/ports/memory-store.ts";
import type { DenylistEntry } from "../../core/ports/skill-store.ts";
import { noSuchDocument } from "../../documents/view.ts";
import type { Word } from "../approval.ts";
import { approvalFor } from "../approval.ts";
import { changeOf } from "./store.ts";
import type { Move } from "./transitions.ts";
import { moved } from "./transitions.ts";

export interface SkillMove {
  /** The skill as it was when the move was decided on; one that changed since is not moved. */
  readonly seen: StoredDocument;
  readonly move: Move;
  readonly actor: Actor;
  readonly reason?: string | undefined;
  /** Members that change besides the status; null takes one away. */
  readonly set?: Readonly<Record<string, JsonObject[string]>>;
  /** On which the skill is delivered from now on. */
  readonly word?: Word;
  /** Vector of a new summary; without one, the jobs make it. */
  readonly vector?: Float32Array | null;
  readonly denylisted?: DenylistEntry;
  /** Throws what only the skills of the same slug can tell; runs under the write lock. */
  readonly requires?: (current: StoredDocument, family: readonly StoredDocument[]) => void;
}

/** Moves a skill by the table of moves, with its audit row. Throws NOT_FOUND, and CONFLICT when it moved or changed meanwhile. */
export async function moveSkill(
  { storage, clock, embedder }: Services,
  { seen, move, actor, reason, set = {}, word, vector = null, denylisted, requires }: SkillMove,
): Promise<StoredDocument> {
  const { tenant_id, collection, doc_id } = seen;
  const { after } = await storage.skills.change({ tenant_id, collection, doc_id }, actor, (current, family) => {
    if (!current) throw noSuchDocument();
    const status = moved(current.data.status, move);
    if (isOther(current, seen)) throw new AppError("CONFLICT", "This skill changed meanwhile. Read it again.");
    requires?.(current, family);
    const members = Object.entries({ ...current.data, ...set, status, updated_at: toTimestamp(clock.now()) });
    const data = Object.fromEntries(members.filter(([, value]) => value !== null));
    return {
      ...changeOf({ ...current, data }),
      approval: word ? approvalFor(word, data) : null,
      vector,
      embedded_by: vector ? embedder.id : null,
      action: `skill.${move}`,
      reason,
      denylisted,
    };
  });
  return after;
}

/** Whether a skill is no longer what somebody decided on. */
export const isOther = (current: StoredDocument, seen: StoredDocument): boolean =>
  current.updated_at !== seen.updated_at ||
  current.data.status !== seen.data.status ||
  current.data.content_hash !== seen.data.content_hash;
