/** A piece of a text that says one thing. */
export interface Block {
  /** From 1. */
  readonly line: number;
  /** Headings above it, the outermost first. */
  readonly headings: readonly string[];
  /** What it stands under besides: the paragraph before a list, the items above an item. */
  readonly under: readonly string[];
  readonly text: string;
  /** Of an item with a box to check, whether it is checked; null for all else. */
  readonly checked: boolean | null;
}

/** A part of a text that cannot be read. */
export interface BadBlock {
  readonly line: number;
  readonly fault: string;
}

/** What a paragraph, an item or a row says, before it is known under which headings. */
export type Said = Omit<Block, "headings">;

export interface Heading {
  readonly line: number;
  readonly depth: number;
  readonly title: string;
}
