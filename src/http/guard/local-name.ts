import { hostInUrl, isLoopback } from "../../core/kernel/address.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { Answer } from "../reply.ts";
import type { Call } from "../request.ts";
import { targetOf } from "../request.ts";

/**
 * `localhost` is two addresses, of which this server has one: a page of that name may be another account's, who listens on the
 * other one, and would pass for a page of this server. So a browser that opens a page is led to the address itself; what pages of
 * that name ask for is refused with HOST_NOT_ALLOWED. Programs, and pages of origins that were allowed, go on. Null lets through.
 */
export function awayFromLocalName({ request, server }: Call): Answer | null {
  const { headers } = request;
  const named = LOCAL_NAME.exec(headers.get("host") ?? "");
  if (named === null || !server?.hostname || !isLoopback(server.hostname)) return null;
  const port = named[1] ?? "";
  const address = `http://${hostInUrl(server.hostname)}${port}`;
  if (headers.get("sec-fetch-mode") === "navigate" && request.method === "GET") {
    const { pathname, search } = targetOf(request);
    return { status: 307, body: null, headers: { Location: `${address}${pathname}${search}` } };
  }
  if (headers.get("sec-fetch-site") !== "same-origin" && !isOfLocalName(headers.get("origin"), port)) return null;
  throw new AppError(
    "HOST_NOT_ALLOWED",
    `A page of the name localhost may be somebody else's. Open ${address} instead.`,
  );
}

/** The name, and the port with its colon. */
const LOCAL_NAME = /^localhost(:\d+)?$/i;

const isOfLocalName = (origin: string | null, port: string): boolean =>
  origin?.toLowerCase() === `http://localhost${port}`;
