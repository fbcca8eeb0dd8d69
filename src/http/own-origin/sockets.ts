import type { Call, Socket } from "../request.ts";

const arrivedAt = new WeakMap<Request, Socket>();

/** Notes at which socket a request arrived: the router knows of one alone. */
export function arriving(request: Request, socket: Socket): Request {
  arrivedAt.set(request, socket);
  return request;
}

/** A request with the socket at which it arrived. */
export const atItsSocket = ({ request, server }: Call): Call => ({
  request,
  server: arrivedAt.get(request) ?? server,
});
