import type { ServerEvent } from "../operation.ts";

/** When a stream shows that it lives, and when it ends by itself; in milliseconds. */
export interface StreamTimes {
  readonly beat_ms: number;
  readonly life_ms: number;
}

/** Shorter than the idle timeout of the transport, and of proxies on the way. A reader connects again after the end. */
export const STREAM_TIMES: StreamTimes = { beat_ms: 10_000, life_ms: 30 * 60_000 };

/** A reader that takes nothing for so many beats is dropped. */
const UNREAD_BEATS_MAX = 3;

const encoder = new TextEncoder();
const BEAT = encoder.encode(": still here\n\n");
const textOf = ({ event, data }: ServerEvent): Uint8Array =>
  encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);

interface EventBody {
  readonly events: AsyncIterable<ServerEvent>;
  readonly times: StreamTimes;
  /** Whether who opened it may still read it: asked before anything is told, and with every beat. */
  isAllowed(): Promise<boolean>;
  /** Called once when it is over, whoever ended it. */
  onEnd(): void;
}

/**
 * Events as `text/event-stream`. The next one is asked for once the reader took the one before, so that nothing piles up for a
 * slow one. Ends with its events, after its time, when its reader goes, and when that one may not read it any more.
 */
export function eventBody({ events, times, isAllowed, onEnd }: EventBody): ReadableStream<Uint8Array> {
  const iterator = events[Symbol.asyncIterator]();
  const endsAt = performance.now() + times.life_ms;
  let timer: ReturnType<typeof setInterval> | undefined;
  let hasEnded = false;
  let unread = 0;
  /** Whoever cannot be asked about is sent away, and may connect again. */
  const isStillAllowed = () => isAllowed().catch(() => false);
  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    clearInterval(timer);
    void iterator.return?.();
    onEnd();
  };
  const close = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (hasEnded) return;
    end();
    controller.close();
  };
  async function beat(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const mayGoOn = performance.now() < endsAt && (await isStillAllowed());
    if (hasEnded) return;
    if (!mayGoOn) return close(controller);
    const isTaken = (controller.desiredSize ?? 0) > 0;
    unread = isTaken ? 0 : unread + 1;
    if (isTaken) controller.enqueue(BEAT);
    else if (unread >= UNREAD_BEATS_MAX) {
      end();
      controller.error(new Error("The reader took nothing."));
    }
  }
  return new ReadableStream({
    start: (controller) => {
      timer = setInterval(() => void beat(controller), times.beat_ms);
      timer.unref();
    },
    pull: async (controller) => {
      const next = await iterator.next();
      if (next.done || !(await isStillAllowed())) return close(controller);
      if (!hasEnded) controller.enqueue(textOf(next.value));
    },
    cancel: end,
  });
}
