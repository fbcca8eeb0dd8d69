import { requireDataFits } from "../access/body-limits.ts";
import { AppError } from "../core/kernel/errors.ts";
import type { Ctx } from "../core/ports/context.ts";
import type {
  IncomingDocument,
  IncomingEntity,
  IncomingRecord,
  IncomingRelation,
} from "../core/ports/keeping/transfer.ts";
import type { RecordOf } from "../core/schema/keeping/transfer.ts";
import { TransferRecord } from "../core/schema/keeping/transfer.ts";
import { KEYSTONES, KeystoneData } from "../core/schema/keystone.ts";
import { KEYSTONE_PROPOSALS, ProposalData } from "../core/schema/keystone-proposal.ts";
import { OrgSettings } from "../core/schema/settings.ts";
import { SKILL_UPDATES, SKILLS, skillDigest } from "../core/schema/skill.ts";
import { searchableText } from "../documents/searchable.ts";
import { nameKey } from "../text/names/name-key.ts";
import type { Fault, ImportScope } from "./incoming-memory.ts";
import { entityWithin, incomingMemory } from "./incoming-memory.ts";

/** A record, checked and with the ids that it has here; or why it cannot be taken. */
export function incomingRecord(ctx: Ctx, scope: ImportScope, sent: unknown): IncomingRecord | Fault {
  const parsed = TransferRecord.safeParse(sent);
  if (!parsed.success) return { fault: parsed.error.issues.map(saidOf).join("; ") };
  const record = parsed.data;
  switch (record.record) {
    case "memory":
      return incomingMemory(ctx, scope, record);
    case "document":
    case "skill":
    case "keystone":
      return incomingDocument(ctx, record);
    case "entity":
      return incomingEntity(record);
    case "relation":
      return incomingRelation(scope, record);
    case "settings":
      return incomingSettings(record);
    case "projects":
      return { kind: "projects", projects: record.projects };
    case "agent":
      return { kind: "agent", agent: record };
    case "finding":
      return { kind: "finding", finding: record };
    default:
      return record satisfies never;
  }
}

/** What is wrong with a member of a record, and which one it is. */
export const saidOf = ({ path, message }: { path: readonly PropertyKey[]; message: string }): string =>
  path.length > 0 ? `${path.map(String).join(".")}: ${message}` : message;

/** Where each kind of document lies; all others are the callers' own. */
const COLLECTIONS: Readonly<Record<"keystone" | "skill", readonly string[]>> = {
  keystone: [KEYSTONES, KEYSTONE_PROPOSALS],
  skill: [SKILLS, SKILL_UPDATES],
};

function incomingDocument(
  ctx: Ctx,
  sent: RecordOf<"document"> | RecordOf<"skill"> | RecordOf<"keystone">,
): IncomingDocument | Fault {
  const { record, approval, ...document } = { approval: null, ...sent };
  const { collection, data } = document;
  const isPlaced =
    record === "document"
      ? !collection.startsWith("_") && collection !== SKILLS
      : COLLECTIONS[record].includes(collection);
  if (!isPlaced) return { fault: `collection: a ${record} does not lie in '${collection}'` };
  if (record === "keystone") {
    const keystone = (collection === KEYSTONES ? KeystoneData : ProposalData).safeParse(data);
    if (!keystone.success) return { fault: `data.${keystone.error.issues.map(saidOf).join("; data.")}` };
  }
  try {
    requireDataFits(ctx, data);
    return {
      kind: "document",
      document,
      // An approval is of one text.
      approval: approval && approval.digest === skillDigest(data) ? approval : null,
      searchable: record === "keystone" ? null : searchableText(document),
    };
  } catch (error) {
    if (error instanceof AppError) return { fault: error.message };
    throw error;
  }
}

function incomingEntity(entity: RecordOf<"entity">): IncomingEntity | Fault {
  const key = nameKey(entity.canonical_name);
  if (key === "") return { fault: "canonical_name: it has neither letter nor digit" };
  const aliases = entity.entries.map((entry) => entry.aliases.map((name) => ({ name, key: nameKey(name) })));
  return { kind: "entity", key, entity, aliases: aliases.map((some) => some.filter(({ key }) => key !== "")) };
}

const incomingRelation = ({ tenant_id }: ImportScope, relation: RecordOf<"relation">): IncomingRelation => ({
  kind: "relation",
  relation: {
    ...relation,
    from_entity_id: entityWithin(tenant_id, relation.from_entity_id, relation.from_name),
    to_entity_id: entityWithin(tenant_id, relation.to_entity_id, relation.to_name),
  },
});

function incomingSettings({ tree }: RecordOf<"settings">): IncomingRecord | Fault {
  const known = OrgSettings.safeParse(tree);
  return known.success ? { kind: "settings", tree } : { fault: known.error.issues.map(saidOf).join("; ") };
}
