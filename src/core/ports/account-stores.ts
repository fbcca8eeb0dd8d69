import type { JsonObject } from "../kernel/json.ts";
import type { TrustLevel } from "../schema/access.ts";
import type { Actor } from "./memory-store.ts";
import type { Page, PageBounds } from "./page.ts";

/** A credential as it lies in storage: never the key itself, only its SHA-256. */
export interface StoredKey {
  readonly id: string;
  readonly key_hash: string;
  /** First characters of the key, to tell keys apart in a list. */
  readonly key_prefix: string;
  readonly tenant_id: string;
  readonly agent_id: string | null;
  readonly fleet_id: string | null;
  readonly trust: TrustLevel;
  readonly admin: boolean;
  readonly label: string | null;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

export interface KeyStore {
  /** Stores the key; one that belongs to an agent creates the agent's row too. */
  add(key: StoredKey, actor: Actor): Promise<void>;
  /** The key with this hash, revoked or not; null when there is none. */
  find(key_hash: string): Promise<StoredKey | null>;
  list(tenant_id: string): Promise<StoredKey[]>;
  /** False when there is no such key in use. */
  revoke(tenant_id: string, id: string, at: string, actor: Actor): Promise<boolean>;
  /** Whether any key is in use. */
  any(): Promise<boolean>;
}

export interface StoredAgent {
  readonly id: string;
  readonly tenant_id: string;
  readonly fleet_id: string | null;
  readonly agent_id: string;
  readonly display_name: string | null;
  readonly trust_level: TrustLevel;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface AgentChange {
  readonly trust_level?: TrustLevel | undefined;
  readonly fleet_id?: string | undefined;
}

export interface AgentStore {
  list(tenant_id: string, fleet_id: string | null): Promise<StoredAgent[]>;
  get(tenant_id: string, agent_id: string): Promise<StoredAgent | null>;
  /** The agent before and after; its keys follow. Null when there is no such agent. */
  change(
    key: { tenant_id: string; agent_id: string },
    change: AgentChange,
    actor: Actor,
  ): Promise<{ before: StoredAgent; after: StoredAgent } | null>;
  /** What there is of an agent beside what it wrote. */
  known(tenant_id: string, agent_id: string): Promise<AgentTraces>;
  /**
   * Revokes an agent's keys and erases their labels and its display name; once no memory is its own any more, its row too.
   * Repeating it changes nothing more.
   */
  erase(key: { tenant_id: string; agent_id: string }, actor: Actor): Promise<void>;
}

/** What there is of an agent: whether it has a row, and its keys, those apart that are revoked and have no label. */
export interface AgentTraces {
  readonly agents: number;
  readonly keys: number;
}

/** The reply kept under an idempotency key. */
export interface KeptReply {
  readonly status: number;
  /** JSON text of the body; null for an empty one. */
  readonly body: string | null;
}

export type ReplyClaim =
  /** `attempt` names the request: the same for its repetition after this process died in the middle of it. */
  | { readonly state: "claimed"; readonly attempt: string }
  | { readonly state: "pending" }
  | { readonly state: "done"; readonly reply: KeptReply }
  | { readonly state: "other_request" };

export interface ReplyKey {
  readonly tenant_id: string;
  /** Whose key it is: another credential's of the same name is another key. */
  readonly credential: string;
  readonly key: string;
}

/** Idempotency keys: whoever claims one first runs, the others get its reply. */
export interface ReplyStore {
  claim(key: ReplyKey, request_hash: string, nowMs: number): Promise<ReplyClaim>;
  keep(key: ReplyKey, reply: KeptReply): Promise<void>;
  release(key: ReplyKey): Promise<void>;
}

export interface AuditEntry {
  readonly id: number;
  readonly tenant_id: string;
  readonly at: string;
  readonly agent_id: string | null;
  readonly auth_source: string;
  readonly action: string;
  readonly target_id: string;
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly reason: string | null;
}

export interface AuditQuery {
  readonly tenant_id: string;
  readonly target_id?: string | undefined;
  readonly action?: string | undefined;
  /** Entries older than this one. */
  readonly before_id?: number | undefined;
  readonly limit: number;
}

export interface AuditStore {
  /** Newest first. */
  list(query: AuditQuery): Promise<AuditEntry[]>;
  page(query: AuditQuery & PageBounds): Promise<Page<AuditEntry>>;
}
