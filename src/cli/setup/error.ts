/** A file or a wish that a set-up cannot work with; the message says which, why, and what to do. */
export class SetupError extends Error {
  override readonly name = "SetupError";
}

/** A text that its format cannot read, or that holds something else where our entry belongs. Lines and columns begin at 1. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
  constructor(
    what: string,
    readonly line: number | null = null,
    readonly column: number | null = null,
  ) {
    super(what);
  }
}
