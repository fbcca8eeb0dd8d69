/** An archive, as the file that it is. */
export interface ArchiveFile {
  readonly at: string;
  readonly name: string;
  /** When it was changed last, as a timestamp. */
  readonly changed_at: string;
}

/** Reads so many bytes from a place on. Throws AppError where there are fewer. */
export type ReadBytes = (from: number, length: number) => Buffer;
