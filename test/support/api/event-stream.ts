import type { Topic } from "../../../src/core/schema/observing/changes.ts";
import { Changed } from "../../../src/core/schema/observing/changes.ts";

/** Longest that a test waits for an event. */
const WITHIN_MS = 5_000;

export interface Told {
  readonly event: string;
  readonly data: unknown;
  readonly at_ms: number;
}

/** A reader of `/api/v1/events`, as a page reads it: by fetch, with headers. */
export interface EventReader {
  readonly response: Response;
  /** Everything told so far, oldest first; comments have the event `comment`. */
  readonly told: readonly Told[];
  /** Topics of all changes told so far. */
  topics(): Topic[];
  /** Waits until it was told so; fails after 5 s. */
  until(isSo: (told: readonly Told[]) => boolean): Promise<void>;
  /** Resolves once the stream is over, whoever ended it. */
  readonly ended: Promise<void>;
  abort(): void;
}

/** Opens the stream of a server that listens. */
export async function openEvents(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventReader> {
  const aborting = new AbortController();
  const response = await fetch(`${url}/api/v1/events`, { headers, signal: aborting.signal });
  const told: Told[] = [];
  const ended = readAll(response, told).catch(() => undefined);
  return {
    response,
    told,
    topics: () => told.flatMap(({ event, data }) => (event === "change" ? Changed.parse(data).topics : [])),
    until: async (isSo) => {
      for (let waited = 0; !isSo(told); waited += 10) {
        if (waited > WITHIN_MS) throw new Error(`Not told within ${WITHIN_MS} ms; told: ${JSON.stringify(told)}`);
        await Bun.sleep(10);
      }
    },
    ended,
    abort: () => aborting.abort(),
  };
}

async function readAll({ body, ok }: Response, told: Told[]): Promise<void> {
  if (!ok || body === null) return;
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of body) {
    text += decoder.decode(part, { stream: true });
    const whole = text.split("\n\n");
    text = whole.pop() ?? "";
    told.push(...whole.map(eventOf));
  }
}

function eventOf(text: string): Told {
  const at_ms = performance.now();
  if (text.startsWith(":")) return { event: "comment", data: null, at_ms };
  const [, event = "", data = ""] = /^event: (.*)\ndata: (.*)$/.exec(text) ?? [];
  return { event, data: JSON.parse(data), at_ms };
}
