/** Turns texts into numbers of tokens. */
export interface TextTokenizer {
  /** With the special tokens that open and close a text. */
  encode(text: string): number[];
  /** Stands for what the vocabulary has no token for. */
  readonly unknown: number;
}
