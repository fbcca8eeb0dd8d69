import type { Clock } from "../../../src/core/kernel/clock.ts";
import { toTimestamp } from "../../../src/core/kernel/clock.ts";
import type { JsonObject } from "../../../src/core/kernel/json.ts";
import type {
  AuditEntry,
  KeptReply,
  ReplyKey,
  StoredAgent,
  StoredKey,
} from "../../../src/core/ports/account-stores.ts";
import type { StoredDocument } from "../../../src/core/ports/document-store.ts";
import type { KeptText } from "../../../src/core/ports/keeping/kept-texts.ts";
import type { Actor } from "../../../src/core/ports/memory-store.ts";
import type { Telling } from "../../../src/core/ports/observing/tellings.ts";
import type { StoragePolicies } from "../../../src/core/ports/storage-policies.ts";
import type { StoredMemory } from "../../../src/core/ports/stored-memory.ts";

/** A memory with what no caller is shown of it. */
export interface OracleRow {
  memory: StoredMemory;
  readonly client_request_id: string | null;
}

/** A text that an edit replaced, with whose it was. */
export interface OracleText extends KeptText {
  readonly memory_id: string;
  readonly tenant_id: string;
  readonly visibility: StoredMemory["visibility"];
}

/** The claim of a key, with the reply once there is one. */
export interface OracleReply {
  readonly at: ReplyKey;
  readonly request_hash: string;
  readonly expires: number;
  readonly reply: KeptReply | null;
}

/** All that is stored, each kind in the order in which it was written. */
export interface State {
  readonly clock: Clock;
  readonly policies: StoragePolicies;
  memories: OracleRow[];
  texts: OracleText[];
  readonly tellings: Map<string, Telling>;
  documents: StoredDocument[];
  audit: AuditEntry[];
  keys: StoredKey[];
  agents: StoredAgent[];
  replies: OracleReply[];
  readonly settings: Map<string, JsonObject>;
  /** Of the last audit entry. */
  last_audit: number;
}

export const newState = (clock: Clock, policies: StoragePolicies): State => ({
  clock,
  policies,
  memories: [],
  texts: [],
  tellings: new Map(),
  documents: [],
  audit: [],
  keys: [],
  agents: [],
  replies: [],
  settings: new Map(),
  last_audit: 0,
});

export const nowOf = ({ clock }: State): string => toTimestamp(clock.now());

/** Notes what somebody did. */
export function note(state: State, actor: Actor, entry: Omit<AuditEntry, "id" | keyof Actor>): void {
  state.audit.push({ id: ++state.last_audit, ...entry, ...actor });
}

/** Order of texts by their characters; -1, 0 or 1. */
export const compare = (a: string | number, b: string | number): number => (a < b ? -1 : Number(a > b));
