import { signal } from "@preact/signals";
import { apiKey } from "./key.ts";
import type { Operations } from "./operations.gen.ts";
import { ROUTES } from "./operations.gen.ts";
import { CallProblem, problemOf } from "./problem.ts";

export type OperationId = keyof Operations;
export type Input<Id extends OperationId> = Omit<Operations[Id], "reply"> & {
  /** The version that the row is to have still, where one row is changed. */
  readonly version?: string;
};
export type Reply<Id extends OperationId> = Operations[Id]["reply"];

/** What of any operation's input matters to sending it. */
interface Sent {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly version?: string;
}

/** Whether the last call was answered at all. */
export const reachable = signal(true);
/** Set when a key that was in use is refused. */
export const keyRefused = signal<CallProblem | null>(null);

/** Calls an operation and gives its reply. Throws CallProblem. */
export async function call<Id extends OperationId>(id: Id, input: Input<Id>, signal?: AbortSignal): Promise<Reply<Id>> {
  return (await callFully(id, input, signal)).reply;
}

/** The same with the headers of the reply. */
export async function callFully<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  signal?: AbortSignal,
): Promise<{ reply: Reply<Id>; headers: Headers }> {
  const response = await send(id, input, signal);
  const text = await response.text();
  // Safe: the types are made from the table that the server answers by.
  return { reply: (text === "" ? undefined : JSON.parse(text)) as Reply<Id>, headers: response.headers };
}

/** No segment of a path can be these: a browser resolves them, encoded too, and the path of another operation would remain. */
const LEADS_ELSEWHERE: ReadonlySet<string> = new Set(["", ".", ".."]);

const noSuchName = (name: string): CallProblem =>
  new CallProblem(404, "NO_SUCH_NAME", `No address can hold “${name}” as a name, so nothing can be asked about it.`);

/** The reply as it comes, for operations that stream. Throws CallProblem. */
export async function send<Id extends OperationId>(id: Id, input: Input<Id>, signal?: AbortSignal): Promise<Response> {
  const [method] = ROUTES[id];
  const { path = {}, body, version }: Sent = input;
  for (const name of Object.values(path)) if (LEADS_ELSEWHERE.has(name)) throw noSuchName(name);
  const request = new Request(addressOf(id, input), {
    method,
    headers: {
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(version === undefined ? {} : { "If-Match": `"${version}"` }),
      ...(apiKey.value === null ? {} : { "X-API-Key": apiKey.value }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
    credentials: "omit",
    cache: "no-store",
    redirect: "manual",
  });
  const response = await fetch(request).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    reachable.value = false;
    throw new CallProblem(0, "UNREACHABLE", "The server does not answer.");
  });
  reachable.value = true;
  if (response.type === "opaqueredirect")
    throw new CallProblem(
      0,
      "REDIRECTED",
      "The server sends calls elsewhere, which is not followed: no key goes there.",
    );
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (problem.status === 401) keyRefused.value = problem;
  throw problem;
}

/** Path and query of an operation, for calls and for links. */
export function addressOf<Id extends OperationId>(id: Id, input: Input<Id>): string {
  const { path = {}, query = {} }: Sent = input;
  const [, template] = ROUTES[id];
  const pathname = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat())
      if (one !== undefined && one !== null && one !== "") params.append(name, String(one));
  }
  const search = params.toString();
  return search === "" ? pathname : `${pathname}?${search}`;
}
