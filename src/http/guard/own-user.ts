import { provesItself } from "../../access/resolve.ts";
import { isOwnAccount, isRoot } from "../../core/kernel/account.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { PeerUser } from "../../core/kernel/sockets/peer-user.ts";
import { peerUser } from "../../core/kernel/sockets/peer-user.ts";
import type { Services } from "../../core/ports/context.ts";
import type { Socket } from "../request.ts";

const fromHere = new WeakSet<Request>();

/** Marks a request that this process asks of itself: no connection tells of it who calls. */
export function askedHere(request: Request): Request {
  fromHere.add(request);
  return request;
}

/**
 * A server without keys takes whoever calls for its owner, so that on loopback only the account that runs it may, and root.
 * Throws UNAUTHORIZED for others and for who is no longer there; whoever shows a credential is asked about that instead.
 */
export function requireOwnUser({ identity }: Services, request: Request, socket: Socket | null): void {
  if (!identity.keyless || identity.any_local_user || socket === null || fromHere.has(request)) return;
  if (provesItself(identity, request.headers)) return;
  const user = userOf(request, socket);
  if (user === "unknown" || (user !== "gone" && (isOwnAccount(user.uid) || isRoot(user.uid)))) return;
  throw new AppError(
    "UNAUTHORIZED",
    "Without keys this server answers the account that runs it, and this call comes from another one of this machine. Ask its owner for a key (`cairn keys create`), or have the server started with --any-local-user.",
  );
}

/** Without an address of the peer the connection was reset: its request is still here, and who sent it is not. */
function userOf(request: Request, socket: Socket): PeerUser {
  const { hostname, port } = socket;
  const peer = socket.requestIP(request);
  if (peer === null || hostname === undefined || port === undefined) return "gone";
  return peerUser(peer, { address: hostname, port });
}
