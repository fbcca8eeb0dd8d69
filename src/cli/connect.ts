import { redirectTarget, withoutCredentials } from "../core/kernel/address.ts";
import type { Evidence } from "../projects/folder/evidence.ts";
import type { CallLocal, StreamLocal } from "./call.ts";
import { callThrough, streamThrough } from "./call.ts";
import type { Output } from "./output.ts";
import { liveServer, lockedFile, onceFree } from "./server/folder-holder.ts";
import type { Place, RunningServer } from "./server/local.ts";
import { answeringServer, runningServer } from "./server/local.ts";
import { provingServer, requireNoStranger, Unproven } from "./server/prove-server.ts";
import type { Project } from "./which-project.ts";

/** Where commands reach Cairn: a server, or the folder opened for the call. */
export interface Connection {
  readonly call: CallLocal;
  readonly stream: StreamLocal;
  /** Address of the server as it may be shown; null where the folder was opened. */
  readonly url: string | null;
  stop(): Promise<void>;
}

/** What a command works with. */
export interface Cli extends Omit<Connection, "stop"> {
  /** Folder of the data. */
  readonly data: string;
  readonly tenant_id: string;
  /** The agent that speaks: the one named, else that of the key; null for neither. */
  readonly agent_id: string | null;
  /** Null outside any, and for a command that asks for none. */
  readonly project: Project | null;
  /** What the folder says of its project; null where nothing was looked at. */
  readonly evidence: Evidence | null;
  /** Nothing of the project may be told or stored in this folder; only a command that needs it `anyway` is run then. */
  readonly isTrusted: boolean;
  readonly out: Output;
}

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly data?: string;
  readonly config?: string;
  readonly tenant?: string;
  readonly agent?: string;
  readonly project?: string;
  /** False looks at no project, wherever the command is run. */
  readonly scope?: boolean;
  readonly cache?: string;
  readonly embedder?: string;
  readonly skillTargets?: string;
  readonly skillRegister?: string;
}

/** Options of what a harness starts, whose variables are not those of whoever set it up. */
export interface ReachOptions extends CommonOptions {
  /** The address of the server. */
  readonly url?: string;
}

/** What a command needs beyond a connection. */
export interface Needs {
  /** The command never looks at vectors: a folder is opened without its models. */
  readonly noModel?: boolean;
  /** The command stores something in its project, which is made where nobody knew it. */
  readonly save?: boolean;
  /** Run also where the project is not trusted: the command is about projects. */
  readonly project?: "anyway";
}

/** Gives commands what they work with, and tidies up behind them. */
export interface CliFactory {
  use<T>(options: CommonOptions, work: (cli: Cli) => Promise<T>, needs?: Needs): Promise<T>;
  /** For commands that reach no Cairn. */
  output(options: Pick<CommonOptions, "json">): Output;
}

/** A server that a client is told of. */
export interface Remote {
  readonly url: string;
  readonly key?: string | undefined;
  /** Sent with each call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Awaited before each call: throws where it is another server than the one that is meant. Else `proven` looks whose it is. */
  readonly prove?: (() => Promise<void>) | undefined;
}

/** Awaited before anything is sent to a server: throws Unproven where that may be somebody else's. */
export const proven = ({ url, prove }: Remote): Promise<void> => (prove ? prove() : requireNoStranger(url));

/**
 * A server of this machine, as it announced itself: nothing is sent before it has proven that it is that one. Whoever shows a
 * key speaks for its owner, and else for the owner of the machine.
 */
export const announced = (server: RunningServer, key = server.token): Remote => ({
  url: server.url,
  key,
  prove: provingServer(server),
});

/** A server that was named and does not answer. */
export class Unreachable extends Error {
  override readonly name: string = "Unreachable";
}

/** A server that was named and sends callers elsewhere, where no key and no text of ours goes. */
export class Redirected extends Unreachable {
  override readonly name = "Redirected";
}

/** The same reply, of what was asked with `redirect: "manual"` at `url`. Throws Redirected for one that leads elsewhere. */
export function unlessRedirected(response: Response, url: string): Response {
  const target = redirectTarget(response, url);
  if (target === null) return response;
  throw new Redirected(
    `${withoutCredentials(url)} leads to ${target}, and nothing was sent there. If that is your Cairn, name its own address, as in CAIRN_URL.`,
  );
}

/** Calls a server; a socket that fails says which server, and what to do. */
export function connectTo(server: Remote): Connection {
  const { url, key, headers = {} } = server;
  const base = url.replace(/(?<!\/)\/+$/, "");
  const shown = withoutCredentials(base);
  const send = async (request: Request): Promise<Response> => {
    const unreachable = (cause: unknown) => {
      if (cause instanceof Unproven) throw cause;
      throw new Unreachable(
        `No Cairn answers at ${shown}. Is it running there? \`cairn status\` tells of this machine.`,
        { cause },
      );
    };
    await proven(server).catch(unreachable);
    return unlessRedirected(await fetch(request, { redirect: "manual" }).catch(unreachable), base);
  };
  const sent = key === undefined ? headers : { ...headers, "X-API-Key": key };
  return {
    call: callThrough(base, sent, send),
    stream: streamThrough(base, sent, send),
    url: shown,
    stop: async () => {},
  };
}

/**
 * The server of a data folder, else the folder itself. Whether a server owns it is for its lock to say: what a server
 * announced may outlive it. A database has no owner: its server is asked for where one answers on this machine, and so is
 * one that announced itself in a folder of which it uses nothing else; `key` goes to it. Throws what `open` throws where there is none.
 */
export async function connectLocally(
  place: Place,
  open: () => Promise<Connection>,
  key?: string | undefined,
): Promise<Connection> {
  const { data, database } = place;
  if (database !== null || runningServer(place)?.database !== undefined) {
    const running = await answeringServer(place);
    return running ? connectTo(announced(running, key)) : open();
  }
  try {
    return await onceFree(data, open);
  } catch (error) {
    const running = liveServer(data);
    if (lockedFile(error) === null || !running) throw error;
    return connectTo(announced(running, key));
  }
}
