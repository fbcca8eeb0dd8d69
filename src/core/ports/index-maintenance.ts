import type { IndexesRebuilt, IntegrityReport, IntegrityRun } from "../schema/integrity.ts";

/** How far a check, a rebuild or a backup is. */
export interface MaintenanceProgress {
  readonly done: number;
  readonly total: number;
  /** What it is about. */
  readonly now: string;
}

/** What a run of each kind ends with. */
export interface MaintenanceResult {
  readonly check: IntegrityReport;
  readonly rebuild: IndexesRebuilt;
}
export type MaintenanceKind = keyof MaintenanceResult;

/** Tells how far a run is. */
export type ReportMaintenance = (progress: MaintenanceProgress) => void;

/** A run to begin: of the whole store, or of what one tenant has in it. */
export interface MaintenanceOrder<K extends MaintenanceKind> {
  readonly kind: K;
  /** Null for the whole. */
  readonly tenant_id: string | null;
  work(tell: ReportMaintenance): Promise<MaintenanceResult[K]>;
}

/** What goes through the whole store: one run at a time, which whoever asks for the same joins. */
export interface IndexMaintenance {
  /** The run that was begun last for a tenant, or for the whole; null before the first. */
  latest(tenant_id: string | null): IntegrityRun | null;
  /** Joins the run of the same kind and tenant that goes on or waits, else begins one once no other goes on. */
  run<K extends MaintenanceKind>(order: MaintenanceOrder<K>): Promise<MaintenanceResult[K]>;
}
