import type { DoctorFinding } from "./finding.ts";
import { about } from "./finding.ts";

/** The day before which no machine can have this program. */
const RELEASED_ON = "2026-11-01T00:00:00.000Z";
/** Farther apart, what is newer and what expires is told wrongly. */
const SKEW_MAX_MS = 60_000;

const WHY = "What is newer, what expired and which value holds now is told by the clock.";
const REPAIR = "timedatectl set-ntp true";

/** Whether this machine's clock can be right. */
export function inspectClock(now: number): DoctorFinding {
  const say = about("clock", "this machine");
  const shown = new Date(now).toISOString();
  if (now >= Date.parse(RELEASED_ON)) return say.well(shown);
  return say.fault(`It is ${shown} by the clock, before this program was made.`, { why: WHY, repair: REPAIR });
}

/** Whether the newest time that is stored lies in the future. */
export function inspectNewest(now: number, newest: string | null): DoctorFinding {
  const say = about("clock", "newest entry");
  if (newest === null) return say.well("nothing is stored yet");
  if (Date.parse(newest) - now <= SKEW_MAX_MS) return say.well(newest);
  return say.fault(`The newest entry is of ${newest}, which has yet to come.`, {
    why: `${WHY} What is written from now on counts as older than that entry.`,
    repair: REPAIR,
  });
}

/** Whether the server goes by the same time: when it dated a row that was just written. */
export function inspectSkew(dated: string, between: readonly [from: number, to: number]): DoctorFinding {
  const say = about("clock", "server");
  const timeMs = Date.parse(dated);
  const apart = Math.max(between[0] - timeMs, timeMs - between[1], 0);
  if (apart <= SKEW_MAX_MS) return say.well("goes by the same time");
  return say.fault(`The server's clock is ${Math.round(apart / 1000)} s apart from this one.`, {
    why: WHY,
    repair: REPAIR,
  });
}
