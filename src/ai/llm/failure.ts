import { redirectTarget } from "../../core/kernel/address.ts";
import { AppError } from "../../core/kernel/errors.ts";

interface Kind {
  readonly message: string;
  /** The same request may succeed a moment later. */
  readonly passing?: true;
  /** The fault is the request's own: the next one may well succeed. */
  readonly once?: true;
}

/** Every way in which a language model gives no answer. The messages name the setting to look at, never its value. */
const KINDS = {
  busy: { message: "The language model has as many requests in hand as it may.", once: true },
  paused: { message: "The language model failed several times in a row and is left alone for a while.", once: true },
  stopped: { message: "The request to the language model was given up.", once: true },
  timeout: { message: "The language model did not answer in time." },
  unreachable: { message: "The language model's server cannot be reached. Check CAIRN_LLM_BASE_URL.", passing: true },
  rate_limited: { message: "The language model's server asks for fewer requests.", passing: true },
  failing: { message: "The language model's server failed.", passing: true },
  key_refused: { message: "The language model's server refused the key. Check CAIRN_LLM_API_KEY." },
  not_there: {
    message:
      "The language model's server knows no such address or model. Check CAIRN_LLM_BASE_URL and CAIRN_LLM_MODEL.",
  },
  redirected: {
    message:
      "The language model's server redirects, which is not followed. Set CAIRN_LLM_BASE_URL to the final address.",
  },
  declined: { message: "The language model's server declined the request. Check CAIRN_LLM_MODEL.", once: true },
  refused: { message: "The language model's server refused the request." },
  unreadable: { message: "What answers for the language model is not in its format. Check CAIRN_LLM_BASE_URL." },
  empty: { message: "The language model answered with nothing.", once: true },
  too_large: { message: "The language model's answer is too large.", once: true },
} as const satisfies Record<string, Kind>;
export type LlmFailureReason = keyof typeof KINDS;

/** Why there is no answer. */
export interface LlmFailure {
  readonly reason: LlmFailureReason;
  /** HTTP status of the server, when it gave one. */
  readonly status?: number;
  /** How long the server asks to be left alone, in milliseconds. */
  readonly wait_ms?: number;
  readonly cause?: unknown;
}

const kindOf = ({ reason }: LlmFailure): Kind => KINDS[reason];

/** Whether the same request may succeed a moment later. */
export const isPassing = (failure: LlmFailure): boolean => kindOf(failure).passing === true;

/** Whether the next request is likely to fail in the same way. */
export const isLasting = (failure: LlmFailure): boolean => kindOf(failure).once !== true;

/** The failure as callers of the port see it. */
export const toError = (failure: LlmFailure): AppError => {
  const { reason, status, cause } = failure;
  const details = status === undefined ? { reason } : { reason, status };
  return new AppError("UNAVAILABLE", kindOf(failure).message, details, { cause });
};

/** What a status other than success means. */
export function failureOf({ status, headers }: Response, asked: string): LlmFailure {
  const wait_ms = waitAsked(headers);
  const target = redirectTarget({ status, headers }, asked);
  return {
    reason: reasonOf(status),
    status,
    ...(wait_ms === null ? {} : { wait_ms }),
    // For the log: where it leads is no matter of those who ask.
    ...(target === null ? {} : { cause: new Error(`It leads to ${target}.`) }),
  };
}

function reasonOf(status: number): LlmFailureReason {
  if (status >= 500) return "failing";
  if (status >= 300 && status < 400) return "redirected";
  return REASONS[status] ?? "refused";
}

const REASONS: Readonly<Record<number, LlmFailureReason>> = {
  400: "declined",
  401: "key_refused",
  403: "key_refused",
  404: "not_there",
  408: "rate_limited",
  422: "declined",
  429: "rate_limited",
};

/** `Retry-After` in milliseconds (RFC 9110, 10.2.3): seconds, or a date, read against the server's own clock. */
function waitAsked(headers: Headers): number | null {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const wait = Date.parse(text) - Date.parse(headers.get("date") ?? "");
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}
