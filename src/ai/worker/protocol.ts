/** What a model can be asked: a text, for a model that compares two texts a pair, or a text and what follows it. */
export interface ModelInput {
  /** What the model wants before every text, and what tells nothing of it. */
  readonly lead?: string;
  readonly text: string;
  readonly pair?: string;
  /** Texts that are read after `text`, as one with it: two rows each instead of one, see `TurnVectors`. */
  readonly turns?: readonly string[];
}

/** Rows of `width` numbers that answer an input. */
export const rowsOf = ({ turns }: ModelInput): number => (turns === undefined ? 1 : 2 * turns.length);

/** How a model's output is read. A further kind of model adds its name here and a loader in `worker.ts`. */
export type ModelTask = "embed" | "judge";

export interface ModelSpec {
  readonly id: string;
  readonly task: ModelTask;
  readonly folder: string;
  /** Where its tokenizer and word vectors lie, which models share; absent for its own folder. */
  readonly words_folder?: string;
  readonly max_tokens: number;
  /** Length of one output row. */
  readonly width: number;
}

/** First message to the worker; it answers `ready` or `failed`. */
export interface LoadRequest {
  readonly kind: "load";
  readonly models: readonly ModelSpec[];
  /** Models that are loaded when they are asked something, and let go when that was long ago; one that cannot be loaded refuses what it is asked. */
  readonly later: readonly ModelSpec[];
  /** Folder of the unpacked native libraries; null when the runtime's package finds its own. */
  readonly runtimeFolder: string | null;
  readonly threads: number;
  /** Works only while there is much to do: gives way to other threads, and lets its models go soon. */
  readonly isSpare: boolean;
}

/** Any later message, one at a time; it answers `result` or `error`. */
export interface RunRequest {
  readonly kind: "run";
  readonly model: string;
  readonly inputs: readonly ModelInput[];
  /** Of a model that the first message did not name. */
  readonly spec?: ModelSpec | undefined;
}

export type WorkerRequest = LoadRequest | RunRequest;

export type WorkerReply =
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly reason: string }
  /** Rows of `width` numbers each, as many an input as `rowsOf` says, in order; whether the model had to be loaded first. */
  | { readonly kind: "result"; readonly rows: Float32Array<ArrayBuffer>; readonly loaded: boolean }
  | { readonly kind: "error"; readonly reason: string }
  /** The model that was asked could not be loaded, and will not be tried again. */
  | { readonly kind: "unserved"; readonly model: string; readonly reason: string };
