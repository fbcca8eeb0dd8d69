import { requireOwner } from "../../access/trust.ts";
import type { Clock } from "../../core/kernel/clock.ts";
import { toTimestamp } from "../../core/kernel/clock.ts";
import type { LogFields, Logger } from "../../core/kernel/log.ts";
import { preview } from "../../core/kernel/text.ts";
import type { Ctx } from "../../core/ports/context.ts";
import type { RecentLog } from "../../core/ports/observing/recent-log.ts";
import type { KeptLevel, LogLine, RecentLogs, RecentLogsQuery } from "../../core/schema/observing/logs.ts";
import { KEPT_LEVELS } from "../../core/schema/observing/logs.ts";

const LINES_MAX = 2_000;
const BYTES_MAX = 1024 * 1024;
const KEPT_MS = 15 * 60_000;
/** Longest text of one field that is kept: no line puts the others out. */
const TEXT_MAX = 1_000;

/** A line as it is kept: its fields as JSON, so that its size is known. */
interface Kept extends Pick<LogLine, "seq" | "level" | "event"> {
  readonly at_ms: number;
  readonly fields: string;
  readonly bytes: number;
}

/** Keeps the latest lines of a log, whatever of them is written elsewhere; debug lines are passed on only. */
export function createRecentLog(clock: Clock): RecentLog & { keeping(log: Logger): Logger } {
  const lines: Kept[] = [];
  let seq = 0;
  let bytes = 0;
  const isOver = ({ at_ms }: Kept) => lines.length > LINES_MAX || bytes > BYTES_MAX || at_ms < clock.now() - KEPT_MS;
  const trim = () => {
    for (let first = lines[0]; first && isOver(first); first = lines[0]) {
      bytes -= first.bytes;
      lines.shift();
    }
  };
  const keep = (level: KeptLevel, event: string, given: LogFields = {}) => {
    const fields = JSON.stringify(given, (_, value: unknown) =>
      typeof value === "string" ? preview(value, TEXT_MAX) : value,
    );
    const size = Buffer.byteLength(event) + Buffer.byteLength(fields);
    lines.push({ seq: ++seq, at_ms: clock.now(), level, event, fields, bytes: size });
    bytes += size;
    trim();
  };
  return {
    keeping: (log) => {
      const both = (level: KeptLevel) => (event: string, fields?: LogFields) => {
        keep(level, event, fields);
        log[level](event, fields);
      };
      return { debug: log.debug, info: both("info"), warn: both("warn"), error: both("error") };
    },
    read: (query) => {
      trim();
      return select(lines, seq, query);
    },
  };
}

/** Lines after one, oldest first so that none is passed over; without one, the newest. */
function select(lines: readonly Kept[], latest: number, { level, event, limit, after }: RecentLogsQuery): RecentLogs {
  // Beyond the latest line: one of the server before.
  const isNext = after !== undefined && after <= latest;
  const from = isNext ? after : 0;
  const least = KEPT_LEVELS.indexOf(level);
  const isAsked = (line: Kept) =>
    line.seq > from && KEPT_LEVELS.indexOf(line.level) >= least && (event === undefined || line.event === event);
  const asked = lines.filter(isAsked);
  const shown = isNext ? asked.slice(0, limit) : asked.slice(-limit);
  const oldest = lines[0]?.seq ?? latest + 1;
  const isCut = isNext && shown.length < asked.length;
  return {
    lines: shown.map(shownLine),
    dropped: Math.max(0, oldest - 1 - from),
    next_after: isCut ? (shown.at(-1)?.seq ?? latest) : latest,
  };
}

const shownLine = ({ seq, at_ms, level, event, fields }: Kept): LogLine => ({
  seq,
  at: toTimestamp(at_ms),
  level,
  event,
  fields: JSON.parse(fields),
});

/** The log lines of the last minutes. For the owner of the machine: they are of all tenants. */
export async function recentLogs(ctx: Ctx, query: RecentLogsQuery): Promise<RecentLogs> {
  requireOwner(ctx);
  return ctx.recentLog.read(query);
}
