import type { CosineCalibration, Embedder } from "../embedder.ts";
import type { NewVector, PendingMemory } from "../memory-store.ts";

/** What is known of one model's vectors without loading it. */
export interface ModelSpace {
  /** Name of its folder. */
  readonly model: string;
  readonly embedder: Pick<Embedder, "id" | "dimensions" | "calibration" | "center">;
}

/**
 * `active` answers. The other one is being made (`building`, or `paused`, or `failed` on the way), or answered before and is
 * kept (`previous`), or is being taken out (`dropping`).
 */
export type GenerationState = "active" | "building" | "paused" | "failed" | "previous" | "dropping";

/** The vectors that one model made of all rows. */
export interface Generation {
  readonly model: string;
  readonly embedder_id: string;
  readonly state: GenerationState;
  /** Whether it has answered before: it is then kept when its completion is given up. */
  readonly has_answered: boolean;
  readonly started_at: string;
  readonly finished_at: string | null;
  /** Why it failed. */
  readonly error: string | null;
}

/** A memory to be read by the other model. */
export interface UnreadMemory extends PendingMemory {
  readonly seq: number;
}

/** A searchable document to be read by the other model. */
export interface UnreadDocument {
  readonly seq: number;
  readonly tenant_id: string;
  readonly summary: string;
}

export interface OtherMemoryVector extends NewVector {
  readonly tenant_id: string;
}

export interface OtherDocumentVector extends UnreadDocument {
  readonly vector: Float32Array;
}

/** A memory as the other model has read it. */
export interface SampledMemory {
  readonly row: PendingMemory;
  readonly own: Float32Array;
  /** Whether it was read by itself, so that it can be read so again. */
  readonly is_alone: boolean;
  /** Whether a search for its own vector finds it among the other model's. */
  readonly is_found: boolean;
}

/** Rows of which the other model has made nothing yet, though the one that answers has. */
export interface Lacking {
  readonly memories: number;
  readonly documents: number;
}

/** The model that answers, and another beside it that is being prepared or is kept; `S` is the storage itself. */
export interface GenerationStore<S> {
  /** Both null while the model was never changed. */
  list(): Promise<{ readonly active: Generation | null; readonly other: Generation | null }>;
  /** Writes down that the model of this release answers, where another release had its own written down. */
  renew(answering: ModelSpace): Promise<void>;
  /** Begins another beside the one that answers, or goes on with the one that is there. */
  begin(answering: ModelSpace, next: ModelSpace): Promise<void>;
  /** Changes the state of the other one. */
  change(state: Exclude<GenerationState, "active">, error?: string | null): Promise<void>;
  /** How many rows there are to read, and how many the other one has read. */
  progress(): Promise<{ readonly done: number; readonly total: number }>;
  /** The first memories after a number that the other model has not read, in order. */
  unreadMemories(after: number, limit: number): Promise<UnreadMemory[]>;
  unreadDocuments(after: number, limit: number): Promise<UnreadDocument[]>;
  /** Stores vectors of the other model; rows that changed meanwhile are passed over. */
  fillMemories(filled: readonly OtherMemoryVector[]): Promise<void>;
  fillDocuments(filled: readonly OtherDocumentVector[]): Promise<void>;
  lacking(): Promise<Lacking>;
  /** Some memories from all over, as the other model has read them. Throws AppError UNAVAILABLE where its index does not fit its rows. */
  sample(count: number): Promise<SampledMemory[]>;
  /** The storage as it answers by the other model; resolves once its index is there. */
  open(): Promise<S>;
  /**
   * From now on the other model answers, and what answered before is kept; `then` is called in the same breath. Where rows
   * lack vectors of it nothing happens, unless they may: those are then embedded by jobs. Returns what lacked.
   */
  switchTo(storage: S, mayLack: boolean, then: () => void): Promise<Lacking>;
  /** Takes some of the other one out; false once nothing of it is left. */
  drop(): Promise<boolean>;
}

/** What a data file says of the model that answers. */
export interface AnsweringModel {
  readonly model: string;
  readonly calibration: CosineCalibration;
  readonly center: Float32Array;
}
