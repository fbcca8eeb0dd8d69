import type { AppError } from "../../core/kernel/errors.ts";
import type { LogFields, LogLevel } from "../../core/kernel/log.ts";
import type { Limits } from "../../core/ports/context.ts";
import type { CosineCalibration, EmbedderState, EmbedOptions } from "../../core/ports/embedder.ts";
import type { LlmRequest } from "../../core/ports/llm.ts";
import type { SearchOrder } from "../../core/ports/search-threads.ts";
import type { ReaderTicket } from "../../core/ports/storage.ts";

/** An embedder, as far as it does not change. */
export interface EmbedderFacts {
  readonly id: string;
  readonly dimensions: number;
  readonly calibration: CosineCalibration;
  readonly center: Float32Array;
}

/** First message to a thread. */
export interface OpenOrder {
  readonly kind: "open";
  readonly ticket: ReaderTicket;
  readonly limits: Limits;
  readonly standalone: boolean;
  readonly embedder: EmbedderFacts;
  readonly llm: { readonly provider: string; readonly model: string } | null;
}

/** What may change from one search to the next. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly embedder: EmbedderState;
}

/** What a thread asks of the one that serves, which has the models and the only connection that writes. */
export type Request =
  | {
      readonly what: "embed";
      readonly texts: readonly string[];
      readonly options: Omit<EmbedOptions, "signal">;
    }
  | { readonly what: "complete"; readonly request: LlmRequest }
  | {
      readonly what: "touch_recalls";
      readonly tenant_id: string;
      readonly ids: readonly string[];
      readonly at: string;
    };

/** Why an answer is refused; `fault` where it is a refusal in the words of a caller's reply. */
export interface RefusalParts {
  readonly reason: string;
  readonly fault: Pick<AppError, "code" | "message" | "details"> | null;
}

/** To a thread. */
export type ToThread =
  | OpenOrder
  | { readonly kind: "ask"; readonly id: number; readonly order: SearchOrder; readonly moment: Moment }
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | ({ readonly kind: "refusal"; readonly id: number } & RefusalParts)
  | { readonly kind: "close" };

/** From a thread. */
export type FromThread =
  | { readonly kind: "opened" }
  | { readonly kind: "closed" }
  | { readonly kind: "reply"; readonly id: number; readonly reply: object | null; readonly cause: string | null }
  | { readonly kind: "request"; readonly id: number; readonly request: Request }
  | { readonly kind: "cancel"; readonly id: number }
  | {
      readonly kind: "log";
      readonly level: Exclude<LogLevel, "silent">;
      readonly event: string;
      readonly fields: LogFields | undefined;
    };
