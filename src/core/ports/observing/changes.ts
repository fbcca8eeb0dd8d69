import type { Topic } from "../../schema/observing/changes.ts";

/** Who is told of what changes in a tenant. */
export interface ChangeListener {
  changed(topics: readonly Topic[]): void;
  /** Nothing more is told: the server stops. */
  ended(): void;
}

/** Tells those who watch a tenant what changes in it, never contents. Keeps nothing for who comes later. */
export interface Changes {
  /** Null for all tenants. */
  publish(tenant_id: string | null, topics: readonly Topic[]): void;
  /** Returns how to be told no more. */
  subscribe(tenant_id: string, listener: ChangeListener): () => void;
  /** Ends for everyone, and for whoever comes later. */
  close(): void;
}
