import type { Loaded } from "../../api/query.ts";
import { useCall } from "../../api/query.ts";
import type { SearchReply, SearchRequest } from "../../api/schemas.gen.ts";

/** A reply, what it replies to, and how long the server says that it took. */
export interface Answer {
  readonly asked: SearchRequest;
  readonly reply: SearchReply;
  /** By the header X-Response-Time, in milliseconds; null where it is not there. */
  readonly took_ms: number | null;
}

/** Searches with what is asked, one search at a time: a newer one ends the older. Memories that change have it made again. */
export function useSearch(asked: SearchRequest | null): Loaded<Answer> {
  const { data, headers, answers, ...rest } = useCall("searchMemories", asked && { body: asked }, ["memories"]);
  if (data === null || answers === null || rest.problem !== null) return { ...rest, data: null };
  // Safe: no fields are chosen, so that the rows are whole.
  const reply = data as SearchReply;
  return { ...rest, data: { asked: answers.body, reply, took_ms: milliseconds(headers?.get("X-Response-Time")) } };
}

function milliseconds(header: string | null | undefined): number | null {
  const value = Number.parseFloat(header ?? "");
  return Number.isNaN(value) ? null : value;
}
