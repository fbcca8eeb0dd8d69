import type { TrialErased } from "../schema/trial.ts";

/** Throwaway tenants: what was tried out in one leaves nothing behind. */
export interface TrialStore {
  /** Those that something was written in and that were not erased since. */
  list(): Promise<string[]>;
  /** Takes away all that lies under a throwaway tenant, its audit rows and jobs included. An unknown one is no error. */
  erase(trial: string): Promise<TrialErased>;
}
