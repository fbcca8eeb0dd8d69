import type { TrustLevel } from "../schema/access.ts";

/** What an operation of the table answered: its status, and its JSON (the error envelope when refused). */
export interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** The parts of a call, as HTTP would carry them. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** The version that the row is to have, as the caller saw it. */
  readonly version?: string | undefined;
  /** The agent that speaks, as it names itself. */
  readonly speaker?: string;
}

/** Runs an operation by its id as the caller of an MCP request (same credential, same budget, same checks), without a socket. */
export type Invoke = (operation: string, input: CallInput) => Promise<Called>;

/** Who asks over MCP, and by what its calls are run. */
export interface Caller {
  /** The agent that its key is bound to. */
  readonly agent_id: string | null;
  /** The fleet that its key is bound to. */
  readonly fleet_id: string | null;
  readonly trust: TrustLevel;
  /** Whether a gateway vouches for it. */
  readonly via_gateway: boolean;
  readonly invoke: Invoke;
}

/** One request over MCP. */
export interface Exchange {
  readonly url: string;
  readonly headers: Headers;
  /** Its text, and what that is as JSON; undefined where it is none. */
  readonly text: string;
  readonly body: unknown;
  /** Aborted where the sender has gone away. */
  readonly signal: AbortSignal;
  readonly caller: Caller;
}

/** What an agent is told of a tool; `stm_only` marks those that a client sees only when it asks for all. */
export interface ToolText {
  readonly name: string;
  readonly description: string;
  readonly stm_only: boolean;
}

/** Answers one POST to /mcp. It checks neither Host nor Origin nor keys: what mounts it does. */
export type McpHandler = (exchange: Exchange) => Promise<Response>;
