/** What the kernel says of a socket. */
export interface SocketEntry {
  /** Whose it is: the account that made it. */
  readonly uid: number;
  /** 0 where no process holds it any more. */
  readonly inode: number;
  readonly state: SocketState;
}

/** Whether a socket is an end of a connection that both ends agreed upon, takes connections, or does neither (any more). */
export type SocketState = "connected" | "listening" | "neither";

/** Established, both kinds of waiting for the other's end, waiting to be closed, closing, and waiting for the last word. */
const CONNECTED: ReadonlySet<number> = new Set([1, 4, 5, 8, 9, 11]);
const LISTENING = 10;

/** What a number of the kernel (net/tcp_states.h) means here: one that only asks for a connection has none. */
export const stateOf = (number: number): SocketState =>
  CONNECTED.has(number) ? "connected" : number === LISTENING ? "listening" : "neither";
