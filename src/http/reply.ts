import { newId } from "../core/kernel/ids.ts";
import { describeCause } from "../core/kernel/log.ts";
import type { Services } from "../core/ports/context.ts";
import type { RequestSlots } from "./concurrency.ts";
import type { StreamTimes } from "./events/event-body.ts";
import type { TakePlace } from "./events/places.ts";
import { corsHeaders, SECURITY_HEADERS } from "./headers.ts";
import type { EndsConnection } from "./load/answers-per-turn.ts";
import type { TakeTurn } from "./load/turns.ts";
import type { Metrics } from "./metrics.ts";
import { toProblem } from "./problem.ts";
import type { Take } from "./rate-limits.ts";
import type { TellRequest } from "./request-lines.ts";

/** What every request of the process shares. */
export interface HttpContext {
  readonly services: Services;
  readonly take: Take;
  /** Answers through `work`, or refuses where too many requests are in hand. */
  readonly hold: RequestSlots;
  /** Awaited before the work of a request begins, its body read. */
  readonly takeTurn: TakeTurn;
  readonly metrics: Metrics;
  readonly tellRequest: TellRequest;
  readonly endsConnection: EndsConnection;
  readonly requestLimitMs: number | undefined;
  /** Streams of events, which last longer than any request. */
  readonly takeStream: TakePlace;
  readonly streamTimes: StreamTimes;
}

/** One request from its arrival to its one line in the log. */
export interface RequestLog {
  readonly request_id: string;
  /** What it is called in log and metrics: an operation, or one of a few words; never its path. */
  readonly name: string;
  readonly startedAt: number;
  /** What lets the page that asks read the reply; none for one that was refused before its route. */
  readonly cors: Readonly<Record<string, string>>;
}

/** Starts the log line of a request: its name, its method and when it arrived. */
export const startRequestLog = ({ services }: HttpContext, request: Request, name: string): RequestLog => ({
  request_id: newId(services.clock),
  name,
  startedAt: performance.now(),
  cors: corsHeaders(request.headers.get("origin")),
});

/** What is answered, before the headers that every reply carries. */
export interface Answer {
  readonly status: number;
  /** JSON text, or bytes of the type that `headers` name; null for an empty body. */
  readonly body: string | Blob | ReadableStream | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly code?: string | undefined;
  /** Operations that it ran, where it is none itself. */
  readonly ran?: string | undefined;
  readonly cause?: unknown;
}

/** The answer to an error: its envelope and status. */
export function refusalOf(cause: unknown, headers: Answer["headers"] = {}): Answer {
  const { status, body } = toProblem(cause);
  return { status, body: JSON.stringify(body), headers, code: body.error.code, cause };
}

/** Measures, logs and names what is answered. Every reply leaves through here, early refusals included. */
export function finish(edge: HttpContext, arrival: RequestLog, answer: Answer): Response {
  const { request_id, name, startedAt, cors } = arrival;
  const took_ms = Math.round((performance.now() - startedAt) * 10) / 10;
  edge.metrics.observe(name, answer.status, took_ms / 1000);
  const line = { request_id, operation: name, status: answer.status, took_ms, code: answer.code, ran: answer.ran };
  edge.tellRequest(answer.status >= 500 ? { ...line, cause: describeCause(answer.cause) } : line);
  return new Response(answer.body, {
    status: answer.status,
    headers: {
      ...SECURITY_HEADERS,
      ...(answer.body === null ? {} : { "Content-Type": "application/json" }),
      ...cors,
      ...answer.headers,
      ...(edge.endsConnection(answer.status) ? { Connection: "close" } : {}),
      "X-Request-Id": request_id,
      "X-Response-Time": `${took_ms}ms`,
    },
  });
}
