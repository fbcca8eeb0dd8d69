/** One question to a language model. */
export interface LlmRequest {
  /** Who the model is and what it must keep to. */
  readonly system?: string;
  readonly prompt: string;
  /** The longest answer wanted. */
  readonly max_tokens: number;
  /** 0 for the likeliest words, larger for more variety. */
  readonly temperature: number;
  /** Asks for one JSON object. What comes back is still to be checked. */
  readonly json?: boolean;
}

/** A language model that the owner configured. Nothing may need one: whoever asks goes on without an answer. */
export interface Llm {
  readonly provider: string;
  readonly model: string;
  /**
   * The model's answer as it came. Throws AppError UNAVAILABLE with `details.reason` when there is none, at once when too
   * many ask already, and the signal's reason when aborted.
   */
  complete(request: LlmRequest, options: { readonly signal: AbortSignal }): Promise<string>;
  /** Ends what is under way; every later question is refused. */
  close(): void;
}
