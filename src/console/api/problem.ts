/** What is wrong at one place of a request. */
export interface Fault {
  /** Names and indexes that lead there, the first of them the part of the request, such as `body`. */
  readonly place: readonly string[];
  readonly said: string;
}

interface ProblemParts {
  readonly details?: Readonly<Record<string, unknown>>;
  readonly faults?: readonly Fault[];
  readonly retry_after?: number | null;
}

/** A refusal of the server, or that it could not be reached, as the page tells it. */
export class CallProblem extends Error {
  readonly details: Readonly<Record<string, unknown>>;
  /** Where the request does not fit, and why; the message names these places too. */
  readonly faults: readonly Fault[];
  /** Seconds after which it may be tried again. */
  readonly retry_after: number | null;

  constructor(
    /** HTTP status; 0 where no answer came. */
    readonly status: number,
    /** Code of the error envelope, or UNREACHABLE. */
    readonly code: string,
    message: string,
    { details = {}, faults = [], retry_after = null }: ProblemParts = {},
  ) {
    super(message);
    this.details = details;
    this.faults = faults;
    this.retry_after = retry_after;
  }
}

/** What to do about a refusal, where its message does not say it. */
const NEXT: Readonly<Record<string, string>> = {
  UNREACHABLE: "Check that the server runs; this page goes on by itself once it answers.",
  UNAUTHORIZED: "Sign in with a key.",
  ADMIN_REQUIRED: "Sign in with the key of an administrator (`cairn keys create --admin`).",
  AGENT_TRUST_TOO_LOW: "Sign in with a key of more trust, or have the trust raised under Access.",
  SKILLS_INBOX_FORBIDDEN: "Sign in with the key of an administrator (`cairn keys create --admin`).",
  SKILLS_FACTORY_DISABLED: "Switch the skill factory on, under Skills.",
  NOT_FOUND: "It was deleted, or this key may not see it.",
  RATE_LIMITED: "Wait a moment, then try again.",
  INTERNAL_ERROR: "The log under Operations has the cause.",
};

export const nextStep = ({ code }: CallProblem): string | null => NEXT[code] ?? null;

/** The refusal in a reply's envelope; one without an envelope by its status alone. */
export async function problemOf(response: Response): Promise<CallProblem> {
  const retry = response.headers.get("Retry-After");
  const retry_after = retry === null ? null : Number(retry);
  const { status } = response;
  const body: unknown = await response.json().catch(() => null);
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  const code = typeof error.code === "string" ? error.code : `HTTP_${status}`;
  const message = typeof error.message === "string" ? error.message : `The server answered with status ${status}.`;
  const details = isRecord(error.details) ? error.details : {};
  const faults = Array.isArray(details.errors) ? details.errors.flatMap(faultOf) : [];
  const text = [message, ...faults.map(inWords)].join("\n");
  return new CallProblem(status, code, text, { details, faults, retry_after });
}

function faultOf(one: unknown): Fault[] {
  if (!isRecord(one) || typeof one.msg !== "string") return [];
  return [{ place: Array.isArray(one.loc) ? one.loc.map(String) : [], said: one.msg }];
}

/** A fault as `body.content: too short`. */
const inWords = ({ place, said }: Fault): string => (place.length === 0 ? said : `${place.join(".")}: ${said}`);

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whatever was thrown, as a problem that can be shown. */
export function asProblem(error: unknown): CallProblem {
  if (error instanceof CallProblem) return error;
  return new CallProblem(0, "PAGE_ERROR", error instanceof Error ? error.message : String(error));
}
