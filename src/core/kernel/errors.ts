/** One error code: its HTTP status, what it means, and what the caller can do about it. */
const code = <Status extends number>(status: Status, meaning: string, next: string) => ({ status, meaning, next });

/** The closed table of error codes. Names follow the interface's envelope; a code never changes its meaning. */
export const ERRORS = {
  BAD_REQUEST: code(
    400,
    "The request is well-formed but asks for something that makes no sense.",
    "Read the message and change the request.",
  ),
  UNAUTHORIZED: code(401, "No identity was resolved for the call.", "Send a key in X-API-Key."),
  INVALID_API_KEY: code(401, "The key is unknown or revoked.", "Make one with `cairn keys create`."),
  FORBIDDEN: code(403, "The kind of credential may not do this.", "Use the key of a tenant instead of an agent's."),
  ADMIN_REQUIRED: code(403, "Only an administrator may do this.", "Use a key made with --admin."),
  PERSON_REQUIRED: code(
    403,
    "Only a person may do this, and nothing tells that one asked.",
    "Do it on a terminal or in the console, or give the agent a key of its own.",
  ),
  AGENT_TRUST_TOO_LOW: code(
    403,
    "The credential lacks the trust for this.",
    "Ask an administrator for the level in `details.required`.",
  ),
  AGENT_IDENTITY_MISMATCH: code(
    403,
    "An agent's credential named another agent.",
    "Leave the agent out, or use that agent's key.",
  ),
  FLEET_SCOPE_FORBIDDEN: code(
    403,
    "The fleet is not the agent's own.",
    "Name its own fleet, or ask for the trust in `details.required`.",
  ),
  TENANT_MISMATCH: code(403, "The tenant named is not the credential's.", "Name the tenant that /api/v1/whoami shows."),
  SKILLS_FACTORY_DISABLED: code(
    403,
    "The tenant's skill factory is switched off.",
    "Enable it in the settings: skills_factory.enabled.",
  ),
  FEATURE_DISABLED: code(403, "This server does not do what was asked for.", "Read the message: it names another way."),
  HOST_NOT_ALLOWED: code(
    403,
    "The Host header is a name that this server does not know.",
    "Add it with --allowed-hosts.",
  ),
  ORIGIN_NOT_ALLOWED: code(403, "The web page's origin is not configured.", "Add it with --allowed-origins."),
  PLAN_LIMIT_READ_ONLY: code(
    403,
    "The tenant holds as many memories, or documents, as it may; nothing was stored.",
    "Delete some, or raise CAIRN_MEMORIES_LIMIT or CAIRN_DOCUMENTS_LIMIT.",
  ),
  SKILLS_INBOX_FORBIDDEN: code(403, "Reviewing skills is for administrators.", "Use a key made with --admin."),
  NOT_FOUND: code(404, "It does not exist, or not for this caller.", "Check the id, the tenant and the agent."),
  NO_SUCH_ROUTE: code(404, "There is no such path.", "See /api/docs for all of them."),
  METHOD_NOT_ALLOWED: code(405, "The path does not have this method.", "Use one of the Allow header."),
  REQUEST_TIMEOUT: code(408, "The body of the request did not arrive in time; nothing was done.", "Send it again."),
  CONFLICT: code(409, "Another request is in the way.", "Wait, read again, then repeat."),
  DUPLICATE_MEMORY: code(409, "The same statement is stored already.", "Use the memory in `details.existing_id`."),
  PRECONDITION_FAILED: code(
    412,
    "It was changed since the version that If-Match names; nothing was done.",
    "Make the change anew from `details.current`, and name its version.",
  ),
  PAYLOAD_TOO_LARGE: code(413, "The body is larger than `details.limit_bytes`.", "Send it in parts."),
  UNSUPPORTED_MEDIA_TYPE: code(415, "The body is compressed.", "Send it without Content-Encoding."),
  INVALID_ARGUMENTS: code(
    422,
    "A part of the request does not fit its schema.",
    "Correct each place that `detail` lists.",
  ),
  RATE_LIMITED: code(429, "The budget of this second is spent.", "Wait the seconds in Retry-After."),
  INTERNAL_ERROR: code(500, "Cairn failed; the log has the cause.", "Report it with X-Request-Id."),
  UNAVAILABLE: code(503, "The disk, the data folder or the model does not answer.", "Follow the message, then repeat."),
  UPSTREAM_TIMEOUT: code(
    504,
    "The request took too long and may still finish.",
    "Check what happened before repeating it.",
  ),
} as const;
export type ErrorCode = keyof typeof ERRORS;

/** The HTTP status of each code; `http/problem.ts` answers with it. */
export const ERROR_STATUS =
  // Safe: it has the same keys as the table it is made from.
  Object.fromEntries(Object.entries(ERRORS).map(([name, { status }]) => [name, status])) as {
    readonly [Code in ErrorCode]: (typeof ERRORS)[Code]["status"];
  };

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

/** What is wrong with one part of a request, and where that stands. */
export interface Fault {
  readonly loc: readonly string[];
  readonly message: string;
  /** Whether it is not there at all. */
  readonly is_missing?: boolean;
}

/** A request in which rules beyond its schema find faults: all of them, so that one repair is enough. */
export class InvalidArguments extends AppError {
  constructor(readonly faults: readonly Fault[]) {
    super("INVALID_ARGUMENTS", faults.map(({ message }) => message).join(" "));
  }
}
