import type { LogFields, Logger } from "../core/kernel/log.ts";

/** Lines of one kind that are told one by one within a second; of what is more, how many there were. */
const LINES_MAX = 10;
const SECOND_MS = 1_000;

/** What one line tells of a request. */
export interface RequestLine extends LogFields {
  readonly request_id: string;
  readonly operation: string;
  readonly status: number;
  readonly code: string | undefined;
}

/** Tells of a request that was answered. */
export type TellRequest = (line: RequestLine) => void;

/**
 * A line in the log for each request. Whoever is refused costs nothing by asking again, and the pages are anybody's: so that they
 * fill no disk, of what is answered so more often than a few times in a second, only the number is told. What the given
 * operations did is told line by line.
 */
export function createRequestLines(log: Logger, operations: ReadonlySet<string>): TellRequest {
  const lately = new Map<string, { readonly line: RequestLine; times: number }>();
  const write = ({ status }: Pick<RequestLine, "status">, event: string, fields: LogFields) =>
    status >= 500 ? log.error(event, fields) : log.info(event, fields);
  const endSecond = () => {
    const counted = [...lately.values()];
    lately.clear();
    for (const { line, times } of counted) {
      const { operation, status, code } = line;
      if (times > LINES_MAX) write(line, "requests", { operation, status, code, times: times - LINES_MAX });
    }
  };
  return (line) => {
    const { operation, status, code } = line;
    if (status < 400 && operations.has(operation)) return write(line, "request", line);
    if (lately.size === 0) setTimeout(endSecond, SECOND_MS).unref();
    const kind = `${operation} ${status} ${code}`;
    const same = lately.get(kind) ?? { line, times: 0 };
    lately.set(kind, same);
    if (++same.times <= LINES_MAX) write(line, "request", line);
  };
}
