/** Part of a list: it ends at so many rows or before so many bytes, whichever comes first, but never before its first row. */
export interface Page<T> {
  readonly items: readonly T[];
  /** There are rows after it. */
  readonly more: boolean;
}

/** How large a page may be. */
export interface PageBounds {
  readonly limit: number;
  /** Bytes of the rows as they are stored. */
  readonly bytes: number;
}
