import { unlessAborted } from "../../core/kernel/unless-aborted.ts";
import type { CallLocal } from "../call.ts";

/** How the API is reached for the length of an examination. */
export interface Connection {
  /** A running server, or the folder (or database) opened for the call. */
  readonly via: "server" | "folder";
  /** The process that answers; null where it is on another machine. */
  readonly pid: number | null;
  /** Calls as the owner of the machine. */
  readonly call: CallLocal;
  /** Calls as the owner in a throwaway tenant. */
  readonly within: (tenant_id: string) => CallLocal;
}

/** So long one answer may take; what goes through the whole store answers at once and is asked again. */
const ANSWER_MS = 30_000;

/** A connection on which nobody waits for ever. */
export const timed = ({ via, pid, call, within }: Connection, limitMs = ANSWER_MS): Connection => ({
  via,
  pid,
  call: inTime(call, limitMs),
  within: (tenant_id) => inTime(within(tenant_id), limitMs),
});

const inTime =
  (call: CallLocal, limitMs: number): CallLocal =>
  async (...asked) => {
    const late = AbortSignal.timeout(limitMs);
    return unlessAborted(call(...asked), late).catch((error: unknown) => {
      if (!late.aborted) throw error;
      const [method, path] = asked;
      throw new Error(`${method} ${path} was not answered within ${limitMs / 1000} s.`, { cause: error });
    });
  };

/** Opens the connection, does the work, closes it. Throws what keeps it from opening. */
export type Connect = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;
