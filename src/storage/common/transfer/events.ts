import { sha256 } from "../../../core/kernel/hash.ts";
import { nameId } from "../../../core/kernel/ids.ts";
import type { JsonObject } from "../../../core/kernel/json.ts";
import { canonicalJson } from "../../../core/kernel/json.ts";
import type { IncomingRecord } from "../../../core/ports/keeping/transfer.ts";
import type { StoredMemory } from "../../../core/ports/stored-memory.ts";

/** What the audit keeps of a record that was stored. */
export interface ImportEvent {
  readonly tenant_id: string;
  readonly at: string;
  readonly action: string;
  readonly target_id: string;
  readonly before: null;
  readonly after: JsonObject;
  readonly reason: null;
}

interface Moment {
  readonly tenant_id: string;
  readonly at: string;
}

/** The event of a record; none of memories, of which there are many and which are told in one go, and of findings. */
export function eventOf(record: IncomingRecord, { tenant_id, at }: Moment): ImportEvent[] {
  const shared = { tenant_id, at, action: `${record.kind}.import`, before: null, reason: null };
  switch (record.kind) {
    case "memory":
    case "finding":
      return [];
    case "document": {
      const { collection, doc_id, data } = record.document;
      return [{ ...shared, target_id: `${collection}/${doc_id}`, after: { data_hash: sha256(canonicalJson(data)) } }];
    }
    case "entity": {
      const { entity_type, canonical_name } = record.entity;
      return [
        { ...shared, target_id: nameId(["entity", tenant_id, record.key]), after: { entity_type, canonical_name } },
      ];
    }
    case "relation": {
      const { id, from_entity_id, relation_type, to_entity_id } = record.relation;
      return [{ ...shared, target_id: id, after: { from_entity_id, relation_type, to_entity_id } }];
    }
    case "agent": {
      const { agent_id, trust_level = null, fleet_id = null } = record.agent;
      return [{ ...shared, target_id: agent_id, after: { trust_level, fleet_id } }];
    }
    case "settings":
      return [{ ...shared, target_id: tenant_id, after: record.tree }];
    default:
      return record satisfies never;
  }
}

/** The event of a memory that was stored. */
export const memoryEvent = ({ tenant_id, id, status, content_hash }: StoredMemory, at: string): ImportEvent => ({
  tenant_id,
  at,
  action: "memory.import",
  target_id: id,
  before: null,
  after: { status, content_hash },
  reason: null,
});
