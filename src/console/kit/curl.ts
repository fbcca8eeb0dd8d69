import { programsAddress } from "../api/address.ts";
import type { Input, OperationId } from "../api/call.ts";
import { addressOf } from "../api/call.ts";
import { apiKey } from "../api/key.ts";
import { ROUTES } from "../api/operations.gen.ts";

/** A text as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The command that calls an operation of this server; the key is left to a variable. */
export function curlOf<Id extends OperationId>(id: Id, input: Input<Id>): string {
  const [method] = ROUTES[id];
  const { body, version }: { readonly body?: unknown; readonly version?: string } = input;
  return [
    "curl",
    ...(method === "GET" || (method === "POST" && body !== undefined) ? [] : ["-X", method]),
    shellWord(`${programsAddress()}${addressOf(id, input)}`),
    ...(apiKey.value === null ? [] : ["-H", '"X-API-Key: $CAIRN_KEY"']),
    ...(version === undefined ? [] : ["-H", shellWord(`If-Match: "${version}"`)]),
    ...(body === undefined ? [] : ["-H", "'Content-Type: application/json'", "-d", shellWord(JSON.stringify(body))]),
  ].join(" ");
}

/** Where the documentation of an operation stands. */
export const docsOf = (tag: string, id: OperationId): string => `/api/docs#/${encodeURIComponent(tag)}/${id}`;
