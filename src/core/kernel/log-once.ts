import type { Clock } from "./clock.ts";
import type { LogFields, Logger } from "./log.ts";

const MINUTE_MS = 60_000;
/** Causes that are remembered; beyond it all are told again. */
const CAUSES_MAX = 100;

/** A trouble that lasts is told once a minute, whoever meets it; lines about one request or one job are all kept. */
export function onceAMinute(log: Logger, clock: Clock): Logger {
  const toldAt = new Map<string, number>();
  const isNews = ({ cause, request_id, kind }: LogFields = {}): boolean => {
    if (typeof cause !== "string" || request_id !== undefined || kind !== undefined) return true;
    const last = toldAt.get(cause);
    if (last !== undefined && Math.abs(clock.now() - last) < MINUTE_MS) return false;
    if (toldAt.size >= CAUSES_MAX) toldAt.clear();
    toldAt.set(cause, clock.now());
    return true;
  };
  return {
    debug: log.debug,
    info: log.info,
    warn: (event, fields) => isNews(fields) && log.warn(event, fields),
    error: (event, fields) => isNews(fields) && log.error(event, fields),
  };
}
