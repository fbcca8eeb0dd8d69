import type { JsonObject } from "../../kernel/json.ts";
import type { ProjectRegistry } from "../../schema/projects/registry.ts";
import type { Actor } from "../memory-store.ts";

/** What a change makes of the registry; none leaves it as it is. */
export interface RegistryChange<T> {
  readonly result: T;
  readonly registry?: ProjectRegistry;
  readonly audit?: {
    readonly action: string;
    readonly target_id: string;
    readonly before: JsonObject | null;
    readonly after: JsonObject | null;
  };
}

/** How much of a fleet was written before a moment, and how much of that everyone sees. */
export interface FleetDoubts {
  readonly before: number;
  readonly shared_before: number;
}

/** What belongs to one fleet is to belong to another. */
export interface Taking {
  readonly tenant_id: string;
  readonly from: string;
  readonly into: string;
  /** Collections whose documents stay. */
  readonly except: readonly string[];
}

export interface ProjectStore {
  /** The registry of a tenant; an empty one where nobody has told of a project. */
  registry(tenant_id: string): Promise<ProjectRegistry>;
  /** Reads, decides and writes under the tenant's lock. Throws what `decide` throws. */
  change<T>(tenant_id: string, actor: Actor, decide: (registry: ProjectRegistry) => RegistryChange<T>): Promise<T>;
  /** Takes a project out of the registry; of what the audit log noted of it only who did what when is left. */
  forget(tenant_id: string, id: string, actor: Actor): Promise<void>;
  /** Those of the fleets that hold anything, or once did. */
  occupied(tenant_id: string, fleets: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Has up to `limit` of what else lies in a fleet belong to another one: deleted memories, documents outside the collections
   * `except`, and what was entered by hand about entities. Returns how many there were.
   */
  take(taking: Taking, limit: number): Promise<number>;
  /** How many memories a fleet shares. */
  shared(tenant_id: string, fleet_id: string): Promise<number>;
  /** Of its memories that are not deleted; costs more the more there are. */
  doubts(tenant_id: string, fleet_id: string, before: string): Promise<FleetDoubts>;
}
