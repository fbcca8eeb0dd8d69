/** Two statements in order of time. */
export interface StatementPair {
  readonly older: string;
  readonly newer: string;
}

/** What the judge makes of a pair; each 0 to 1. */
export interface Judgement {
  /** How surely the two cannot both be true now. */
  readonly clash: number;
  /** How surely, if so, the newer one says that things moved on, or corrects. */
  readonly replaced: number;
  /** How surely, if so, nothing of the older one still holds. */
  readonly whole: number;
}

export type JudgeState =
  /** Nobody has asked it anything yet. */
  { readonly phase: "waiting" } | { readonly phase: "ready" } | { readonly phase: "failed"; readonly reason: string };

export interface JudgeOptions {
  readonly signal?: AbortSignal;
}

/** Reads two statements together and says how surely the newer one contradicts or replaces the older one, whoever and whatever they name. */
export interface Judge {
  readonly id: string;
  state(): JudgeState;
  /**
   * What it makes of each pair, in order; null when the model cannot be asked, which is no error: whoever asks goes on
   * without. Jobs wait for it, never callers: it runs in the background. Throws the signal's reason when aborted, and what went
   * wrong where it may yet answer: its queue is full, say.
   */
  score(pairs: readonly StatementPair[], options?: JudgeOptions): Promise<readonly Judgement[] | null>;
}
