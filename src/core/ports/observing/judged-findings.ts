import type { FoundStatus } from "../finding.ts";
import type { Actor } from "../memory-store.ts";
import type { StoredMemory } from "../stored-memory.ts";

/** A finding of the detector that stands and that nobody has reviewed. */
export interface JudgedFinding {
  readonly number: number;
  readonly newer: StoredMemory;
  readonly older: StoredMemory;
  readonly status: FoundStatus;
  readonly rule: string;
}

/** What a judge makes of a finding that it shares. */
export interface JudgedAgain {
  readonly number: number;
  readonly rule: string;
  readonly confidence: number;
  readonly why: string | null;
}

/** Findings that an earlier judge made, for the present one to look at. */
export interface JudgedFindings {
  /**
   * The next few of the findings of a tenant that the detector made of two texts, that stand, and that nobody has reviewed, after
   * a number, in their order.
   */
  judged(tenant_id: string, after: number | null): Promise<JudgedFinding[]>;
  /**
   * Takes back those of some findings that nobody has reviewed, as the detector judges them otherwise; the rows that they had demoted
   * are checked again. Those that it shares have what it makes of them.
   */
  judgeAgain(
    tenant_id: string,
    findings: { readonly gone: readonly number[]; readonly kept: readonly JudgedAgain[] },
    actor: Actor,
  ): Promise<void>;
}
