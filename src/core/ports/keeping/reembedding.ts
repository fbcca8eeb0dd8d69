import type { ReembedState } from "../../schema/keeping/reembed.ts";
import type { Embedder } from "../embedder.ts";
import type { Judge } from "../judge.ts";

/** The models of a process. */
export interface Models {
  /** Its name among those that can be chosen. */
  readonly name: string;
  readonly embedder: Embedder;
  /** Null where there is none: the detector then finds only other values in the same words. */
  readonly judge: Judge | null;
}

/** The change to another model while the present one answers. Every order throws AppError CONFLICT where it makes no sense now. */
export interface Reembedding {
  state(): Promise<ReembedState>;
  /** Begins to read everything with a model of this name. Throws BAD_REQUEST where there is none, or it is not sound. */
  begin(model: string): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Goes back to the model of before, once that has read what was written since. */
  rollback(): Promise<void>;
  /** Gives up what is being prepared. */
  cancel(): Promise<void>;
  /** Takes out the vectors of the model of before. */
  dropOld(): Promise<void>;
  /** Goes on with what an earlier process left unfinished. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
