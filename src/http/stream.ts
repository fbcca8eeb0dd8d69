import type { Logger } from "../core/kernel/log.ts";
import { describeCause } from "../core/kernel/log.ts";

/**
 * A body that is read as fast as its receiver takes it, of parts of which the first is there. Throws what reading the first one
 * throws; what fails later breaks the connection off, as the status has been sent by then.
 */
export async function streamOf(parts: AsyncIterable<string>, log: Logger): Promise<ReadableStream> {
  const iterator = parts[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let next: IteratorResult<string> | null = await iterator.next();
  return new ReadableStream({
    async pull(controller) {
      try {
        const part = next ?? (await iterator.next());
        next = null;
        if (part.done) controller.close();
        else controller.enqueue(encoder.encode(part.value));
      } catch (error) {
        log.error("stream broke off", { cause: describeCause(error) });
        controller.error(error);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
