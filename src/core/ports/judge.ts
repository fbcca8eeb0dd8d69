/** Two statements in order of time. */
export interface StatementPair {
  readonly older: string;
  readonly newer: string;
}

export type JudgeState =
  /** Nobody has asked it anything yet. */
  { readonly phase: "waiting" } | { readonly phase: "ready" } | { readonly phase: "failed"; readonly reason: string };

export interface JudgeOptions {
  readonly signal?: AbortSignal;
}

/** Reads two statements together and says how surely the newer one contradicts or replaces the older one. */
export interface Judge {
  readonly id: string;
  state(): JudgeState;
  /**
   * A score of 0 to 1 for each pair, in order; null when the model cannot be asked, which is no error: whoever asks goes on
   * without. Jobs wait for it, never callers: it runs in the background. Throws the signal's reason when aborted.
   */
  score(pairs: readonly StatementPair[], options?: JudgeOptions): Promise<readonly number[] | null>;
}
