import type { z } from "zod";
import type { TransferRecord } from "../core/schema/keeping/transfer.ts";

/** A record as a source has it; the server checks it against the schema. */
export type ReadRecord = z.input<typeof TransferRecord>;

/** Where something stands in a source, as a person finds it. */
export interface Place {
  /** Path below what was named, or the address. */
  readonly file: string;
  /** From 1; the number of an entry where the source has no lines. */
  readonly line: number;
}

/** A record, why what stands there is none, or why none is made of it. */
export type ReadLine =
  | {
      readonly place: Place;
      readonly record: ReadRecord;
      /** What of it was left out or taken otherwise than it is written. */
      readonly remarks?: readonly string[];
    }
  | { readonly place: Place; readonly fault: string }
  | { readonly place: Place /** Why what stands there is nothing to be kept. */; readonly leftOut: string };

/** A file of a source. */
export interface SourceFile {
  /** Path below what was named. */
  readonly path: string;
  /** When it was changed last, as a timestamp. */
  readonly changed_at: string;
  /** Throws AppError BAD_REQUEST where it is not UTF-8. */
  text(): Promise<string>;
  /** Line after line, however large it is; throws likewise. */
  lines(): AsyncIterable<string>;
}

/** A file, or a folder with all files below it but hidden ones, sorted by path. */
export interface Source {
  readonly name: string;
  /** The folder that its paths begin in; left out for what lies in none. */
  readonly folder?: string;
  readonly files: readonly SourceFile[];
}

/** Reads what one tool writes. */
export interface FormatReader {
  readonly name: string;
  /** What it is, in a few words. */
  readonly title: string;
  /** Whether it is what a Cairn wrote: what else there is brings memories and documents only. */
  readonly isExport: boolean;
  /** Whether a source looks like that, by names and first lines. */
  detects(source: Source): Promise<boolean>;
  /** In the order in which things happened, as far as the source tells. The ids of memories are the same each time. */
  read(source: Source): AsyncIterable<ReadLine>;
}
