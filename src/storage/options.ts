import type { Clock } from "../core/kernel/clock.ts";
import type { Logger } from "../core/kernel/log.ts";
import type { SearchStorage } from "../core/ports/context.ts";
import type { ReaderTicket, Storage, TextOf } from "../core/ports/storage.ts";
import type { StoragePolicies } from "../core/ports/storage-policies.ts";

/** Where the vectors of a model lie: a data file has room for those of two models side by side. */
export type Side = "a" | "b";

/** The vector space that new rows live in. */
export interface EmbedderSpace {
  readonly id: string;
  readonly dimensions: number;
  /** Mean of the model's vectors: subtracted before a vector is reduced to its signs, else all signs look alike. */
  readonly center: Float32Array;
  /** Which side its vectors lie on; the engine alone chooses it, the first where it is left out. */
  readonly side?: Side | undefined;
}

export interface StorageOptions {
  /** Folder of the data file; null keeps everything in memory. */
  readonly folder: string | null;
  readonly clock: Clock;
  readonly log: Logger;
  readonly space: EmbedderSpace;
  /** Whether sqlite-vec is used where it can be; it is where this is left out. */
  readonly vector_extension?: boolean | undefined;
  /** Threads that search beside this one; none where it is left out. */
  readonly search_threads?: number | undefined;
  /** What the features decide and the engine carries out. */
  readonly policies: StoragePolicies;
  /** Reads documents whose words an older Cairn wrote. */
  readonly textOf: TextOf;
  /** Where the vector extension may be unpacked to when it comes out of the executable. */
  readonly cacheDir: string;
}

export interface ReaderOptions extends Pick<StorageOptions, "clock" | "policies"> {
  readonly ticket: ReaderTicket;
}

/** Storage that another thread writes: as long as it is open, that thread cannot empty its log for good. */
export type StorageReader = SearchStorage & Pick<Storage, "close">;
