import type { Ledger } from "./ledger.ts";
import { violate } from "./ledger.ts";

/** Longer than the server lets any request take. */
const ANSWER_LIMIT_MS = 60_000;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

export interface Call {
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The statuses that keep the promise; any other is a violation. */
  readonly expected: readonly number[];
}

/** Milliseconds and count of the calls of one kind. */
export type Timings = Map<string, number[]>;

/** Sends calls over HTTP, times each under its name and holds it to the statuses it may have. */
export function createWire(url: string, ledger: Ledger, timings: Timings) {
  return async (name: string, method: string, path: string, call: Call): Promise<Answer> => {
    const sent = new URLSearchParams(
      Object.entries(call.query ?? {}).map(([key, value]): [string, string] => [key, String(value)]),
    );
    const startedAt = performance.now();
    const answer = await send(`${url}/api/v1${path}${sent.size > 0 ? `?${sent}` : ""}`, method, call);
    const times = timings.get(name) ?? [];
    timings.set(name, times);
    times.push(performance.now() - startedAt);
    if (!call.expected.includes(answer.status)) {
      violate(ledger, `${name}: ${method} ${path} was ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
    }
    return answer;
  };
}
export type Wire = ReturnType<typeof createWire>;

/** Status 0 stands for no answer at all. */
async function send(url: string, method: string, { body, headers }: Call): Promise<Answer> {
  const content = body === undefined ? {} : { "Content-Type": "application/json" };
  try {
    const response = await fetch(url, {
      method,
      headers: { ...content, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text), headers: response.headers };
  } catch (error) {
    return { status: 0, body: String(error), headers: new Headers() };
  }
}
