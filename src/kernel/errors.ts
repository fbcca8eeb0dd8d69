/**
 * The closed table of error codes and the HTTP status each maps to. `http/problem.ts` is its only other reader of status.
 * Names follow the interface's envelope; a code never changes its meaning.
 */
export const ERROR_STATUS = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  INVALID_API_KEY: 401,
  FORBIDDEN: 403,
  ADMIN_REQUIRED: 403,
  AGENT_TRUST_TOO_LOW: 403,
  AGENT_IDENTITY_MISMATCH: 403,
  FLEET_SCOPE_FORBIDDEN: 403,
  TENANT_MISMATCH: 403,
  HOST_NOT_ALLOWED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  PLAN_LIMIT_READ_ONLY: 403,
  NOT_FOUND: 404,
  NO_SUCH_ROUTE: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  DUPLICATE_MEMORY: 409,
  PAYLOAD_TOO_LARGE: 413,
  INVALID_ARGUMENTS: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
  UPSTREAM_TIMEOUT: 504,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;

/** The one error class of Cairn: `message` is written for the caller, `cause` for the log. */
export class AppError extends Error {
  override readonly name = "AppError";
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: Readonly<Record<string, unknown>>,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
