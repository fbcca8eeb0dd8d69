/** The only source of time: an argument everywhere else, so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const DAY_MS = 86_400_000;

/** The wire form of an instant: ISO 8601 in UTC with milliseconds, which sorts as text in order of time. */
export const toTimestamp = (epochMs: number): string => new Date(epochMs).toISOString();
