/** Which side of the search a text stands on; asymmetric models prefix the two differently. */
export type EmbedRole = "query" | "passage";

/** `interactive` requests (a caller waits) always run before `background` ones (a job waits). */
export type EmbedPriority = "interactive" | "background";

export interface EmbedOptions {
  readonly role: EmbedRole;
  readonly priority: EmbedPriority;
  readonly signal?: AbortSignal;
}

/** Cosine statistics of a model, measured once and kept in its manifest: what makes cosines of two models comparable. */
export interface CosineCalibration {
  /** Mean and standard deviation of the cosine of a question to an unrelated passage. */
  readonly unrelated_mean: number;
  readonly unrelated_deviation: number;
  /** The same of a question to a passage that answers it. */
  readonly related_mean: number;
  readonly related_deviation: number;
  /** The same of two passages that have nothing to do with each other. */
  readonly row_unrelated_mean: number;
  readonly row_unrelated_deviation: number;
  /** Cosine that ranking takes as no evidence at all, for a row alone and for a row read with the one before it. */
  readonly zero: number;
  readonly context_zero: number;
  /** Cosine that ranking takes as one unit of evidence. */
  readonly spread: number;
}

export type EmbedderState =
  | { readonly phase: "loading" }
  | { readonly phase: "ready"; readonly ready_ms: number }
  | { readonly phase: "failed"; readonly reason: string };

/** Turns of one conversation that follow each other: the first is only read, for what the others refer to. */
export interface Conversation {
  readonly before: string;
  readonly turns: readonly string[];
}

/** Unit vectors of a turn: of its own words, and of these with those of the turn before it. */
export interface TurnVectors {
  readonly own: Float32Array;
  readonly context: Float32Array;
}

/** Turns texts into unit vectors. Vectors of two embedders with different `id` are never compared. */
export interface Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly calibration: CosineCalibration;
  /** Mean of the model's vectors over ordinary text: what all of them share, and what tells none apart. */
  readonly center: Float32Array;
  state(): EmbedderState;
  /** Resolves once the model answers; rejects with UNAVAILABLE when it cannot be loaded. */
  ready(): Promise<void>;
  /**
   * One unit vector per text, in order. Waits while the model loads.
   * Throws AppError UNAVAILABLE when the model failed or the queue is full, and the signal's reason when aborted.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
  /** Vectors of each turn of each conversation, in order; of passages. Each conversation is read once, as a whole. */
  embedTurns(conversations: readonly Conversation[], options: Omit<EmbedOptions, "role">): Promise<TurnVectors[][]>;
  close(): Promise<void>;
}
