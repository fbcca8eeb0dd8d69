import type { ExportFilter } from "../../../core/ports/keeping/transfer.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";
import type { RecordOf, TransferRecord } from "../../../core/schema/keeping/transfer.ts";
import { KEYSTONES } from "../../../core/schema/keystone.ts";
import { KEYSTONE_PROPOSALS } from "../../../core/schema/keystone-proposal.ts";
import type { MemoryStatus } from "../../../core/schema/memory.ts";
import type { SkillApproval } from "../../../core/schema/skill.ts";
import { SKILL_UPDATES, SKILLS } from "../../../core/schema/skill.ts";

/** Which kinds of records a filter asks for beside memories and findings. */
export function partsOf({ fleet_id, agent_id, created_after, created_before }: ExportFilter) {
  const isWhole = !fleet_id && !agent_id && !created_after && !created_before;
  return { isWhole, isOfFleet: isWhole || (fleet_id !== undefined && !agent_id) };
}

/** The record of a document, or of what is kept as one. */
export function documentRecord(
  document: Omit<RecordOf<"document">, "record">,
  approval: SkillApproval | null,
): TransferRecord {
  const record = kindOf(document.collection);
  return record === "skill" && approval ? { record, ...document, approval } : { record, ...document };
}

/** What the record of a document in a collection is called. */
const kindOf = (collection: string): "keystone" | "skill" | "document" => {
  if (collection === KEYSTONES || collection === KEYSTONE_PROPOSALS) return "keystone";
  return collection === SKILLS || collection === SKILL_UPDATES ? "skill" : "document";
};

/** A memory on its way out. */
export interface ExportedMemory extends StoredMemory {
  readonly checked_at: string | null;
  readonly former_status: MemoryStatus | null;
  readonly subject_name: string | null;
}

/** Links that were inferred from the text are inferred again where it is taken in. */
export function memoryRecord(row: ExportedMemory, nameOf: (entity_id: string) => string | null): TransferRecord {
  const { checked_at, former_status, subject_name, ...stored } = row;
  const {
    tenant_id: _tenant,
    content_hash: _hash,
    deleted_at: _deleted,
    embedded_by: _model,
    status,
    entity_links,
    ...others
  } = stored;
  return {
    record: "memory",
    ...others,
    // Deleted rows are not read.
    status: status === "deleted" ? null : status,
    entity_links: entity_links
      .filter(({ inferred }) => inferred !== true)
      .map(({ entity_id, role }) => ({ entity_id, role, name: nameOf(entity_id) })),
    subject_name,
    checked_at,
    former_status: former_status === "deleted" ? null : former_status,
  };
}
