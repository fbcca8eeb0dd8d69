import type { Actor } from "../memory-store.ts";

/** What can hold texts beside memories. Of audit entries it is what somebody wrote into them, not what they say of rows that are found otherwise. */
export const HOLDERS = [
  "documents",
  "entities",
  "relations",
  "audit_entries",
  "audit_targets",
  "kept_replies",
  "agent_names",
  "key_labels",
  "request_names",
  "kept_texts",
  "rejections",
  "forge_runs",
  "import_sources",
  "empty_collections",
] as const;
/**
 * Memories have a store that erases them. `entities` are what was entered of them by hand, `audit_targets` what entries name
 * that is no memory, `request_names` what callers called the items of a bulk, `kept_texts` what
 * memories said before an edit, `rejections` why skills were rejected.
 */
export type Holder = (typeof HOLDERS)[number];

export interface HeldFilter {
  readonly tenant_id: string;
  /** Null for what belongs to none. */
  readonly fleet_id?: string | null | undefined;
  /** Last changed before this moment. */
  readonly before?: string | undefined;
}

/** What stands in place of a name that was erased. */
export const ERASED_NAME = "erased";

/** A row that holds a text. */
export interface HeldText {
  readonly number: number;
  /** As a kept reply shows it. */
  readonly id: string;
  /** As the audit names it. */
  readonly target: string;
  /** All of its text; JSON as it is stored. */
  readonly text: string;
}

/** What tells of rows. */
export interface Traces {
  /** Audit entries that tell more than who did what when. */
  readonly audit_entries: number;
  readonly kept_replies: number;
}

/** Finds and erases what holds texts, a few rows at a time, all within a tenant. */
export interface ForgettingStore {
  /** The next rows of a kind after a number, among few; `next` is null behind the last. */
  held(
    holder: Holder,
    filter: HeldFilter,
    after: number,
  ): Promise<{ readonly rows: readonly HeldText[]; readonly next: number | null }>;
  /** Erases rows of a kind for good with what is made of them and what tells of them; that they were is all the audit still tells. */
  erase(holder: Holder, tenant_id: string, rows: readonly HeldText[], actor: Actor): Promise<void>;
  /** What tells of these rows. */
  traces(tenant_id: string, rows: readonly Pick<HeldText, "id" | "target">[]): Promise<Traces>;
}
