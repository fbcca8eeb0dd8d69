import { isatty } from "node:tty";
import { printError } from "../print.ts";

/** Shows how far something is, how fast it goes and how long it still takes, on standard error. */
export interface RateLine {
  begin(done: number, total: number | null): void;
  show(done: number): void;
  end(): void;
}

/** Where nobody watches, a line each time this many seconds have passed. */
const PIPE_INTERVAL_S = 10;

/** One line that advances on a terminal; elsewhere a line now and then. `elapsed` is in milliseconds. */
export function rateLine(
  name: string,
  elapsed: () => number,
  { isTerminal = isatty(2), write = printError }: { isTerminal?: boolean; write?: (text: string) => void } = {},
): RateLine {
  let [from, begun, told, total] = [0, 0, 0, null as number | null];
  return {
    begin: (done, all) => {
      [from, begun, told, total] = [done, elapsed(), elapsed(), all];
    },
    show: (done) => {
      const now = elapsed();
      if (!isTerminal && now - told < PIPE_INTERVAL_S * 1_000) return;
      told = now;
      const text = `${name} ${sayRate(done, { from, total, seconds: (now - begun) / 1_000 })}`;
      write(isTerminal ? `\r\x1b[K${text}` : `${text}\n`);
    },
    end: () => {
      if (isTerminal) write("\r\x1b[K");
    },
  };
}

interface Run {
  readonly from: number;
  readonly total: number | null;
  readonly seconds: number;
}

/** Such as `40 % (400 of 1,000), 200 a second, 3 s left`. */
export function sayRate(done: number, { from, total, seconds }: Run): string {
  const rate = seconds > 0 ? (done - from) / seconds : 0;
  const speed = `${number(Math.round(rate))} a second`;
  if (total === null) return `${number(done)}, ${speed}`;
  const left = rate > 0 ? `, ${sayTime(Math.ceil((total - done) / rate))} left` : "";
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  return `${percent} % (${number(done)} of ${number(total)}), ${speed}${left}`;
}

const number = (value: number): string => value.toLocaleString("en");

const sayTime = (seconds: number): string =>
  seconds < 90 ? `${seconds} s` : `${number(Math.round(seconds / 60))} min`;
