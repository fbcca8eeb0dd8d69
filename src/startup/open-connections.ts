import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Logger } from "../core/kernel/log.ts";
import { endStrangers } from "../core/kernel/sockets/end-strangers.ts";

/** How often it is looked at how many there are. */
const LOOK_MS = 1_000;
/** While requests come and there may be too many, a look waits so many times what the last one took. */
const LOOK_AGAIN_TIMES = 20;
/** From this share of the limit on, it is not left to the next look. */
const NEAR = 0.9;
/** Of others' connections as many are ended as leave this share of the limit. */
const LEFT = 0.5;
/** Descriptors that the process needs besides: data files, libraries, threads, calls to other servers. */
const RESERVED = 64;
/** Fewer may be sockets of the process itself. */
const LEAST = 16;

const DESCRIPTORS = "/proc/self/fd";

/** The sockets that listen, as one. */
interface Listener extends Pick<Bun.Server<unknown>, "closeIdleConnections"> {
  ports(): readonly number[];
}

export interface Connections {
  /** How many there may be; further ones are idle and closed, or are told to come back. */
  readonly limit: number;
  /** Keeps those of a socket that listens within the limit; returns how to end it. */
  watch(socket: Listener): () => void;
  /** Whether there are more than may be, though none is idle. */
  tooMany(): boolean;
}

/**
 * Bounds the connections of the process. Only Linux tells how many there are: elsewhere none is too many. Where the server
 * answers its own account alone, those of others, who may hold half a request for as long as they like, go before the owner is refused.
 */
export function createOpenConnections(asked: number, log: Logger, isOwnersAlone: () => boolean): Connections {
  const descriptorLimit = readDescriptorLimit();
  const limit = Math.max(LEAST, Math.min(asked, descriptorLimit - RESERVED));
  let own = 0;
  let open = 0;
  let lookAgainAt = 0;
  // Each of these may be the first of its connection.
  let sinceLook = 0;
  let socket: Listener | null = null;
  const count = () => openSockets(limit * NEAR, descriptorLimit) - own;
  const look = () => {
    const startedAt = performance.now();
    open = count();
    sinceLook = 0;
    // What is ended is closed a little later.
    if (socket !== null && open > limit * NEAR && isOwnersAlone()) open -= endOthers(socket);
    const took = performance.now() - startedAt;
    lookAgainAt = startedAt + took * LOOK_AGAIN_TIMES;
    if (open <= limit || socket === null) return;
    log.warn("too many connections", {
      cause: "too many connections",
      open,
      limit,
      closed: socket.closeIdleConnections(),
    });
    open = count();
  };
  const endOthers = (listener: Listener): number => {
    const ended = endStrangers(listener.ports(), Math.ceil(open - limit * LEFT));
    if (ended > 0)
      log.warn("other accounts' connections ended", { cause: "other accounts' connections ended", open, limit, ended });
    return ended;
  };
  return {
    limit,
    watch: (listening) => {
      socket = listening;
      own = openSockets(0, descriptorLimit);
      const timer = setInterval(look, LOOK_MS);
      timer.unref();
      return () => {
        socket = null;
        clearInterval(timer);
      };
    },
    tooMany: () => {
      if (socket === null) return false;
      sinceLook++;
      if (open + sinceLook >= limit * NEAR && performance.now() >= lookAgainAt) look();
      return open > limit;
    },
  };
}

/** How many descriptors the process may have open; without end where the system does not tell. */
function readDescriptorLimit(): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Sockets of the process; while it has no more descriptors than `enough`, the number of these. Where none is left to look
 * with, there are too many; zero where no one tells.
 */
function openSockets(enough: number, descriptorLimit: number): number {
  try {
    const open = readdirSync(DESCRIPTORS);
    return open.length <= enough ? open.length : open.filter(isSocket).length;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EMFILE" ? descriptorLimit : 0;
  }
}

function isSocket(descriptor: string): boolean {
  try {
    return readlinkSync(`${DESCRIPTORS}/${descriptor}`).startsWith("socket:");
  } catch {
    return false; // Closed since.
  }
}
