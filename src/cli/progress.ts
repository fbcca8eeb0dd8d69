import { isatty } from "node:tty";
import { shownOnOneLine } from "../core/kernel/quoting/unseen.ts";
import { printError } from "./print.ts";

/** How far something is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly now: string;
}

/** Shows how far something is, on standard error. */
export interface ProgressLine {
  show(progress: Progress): void;
  /** Clears what a terminal shows. */
  end(): void;
}

/** One line that advances on a terminal; elsewhere a line for each thing that is begun. */
export function progressLine(name: string, isTerminal = isatty(2), write = printError): ProgressLine {
  let shown = "";
  return {
    show: ({ done, total, now }) => {
      if (now === "" || (!isTerminal && now === shown)) return;
      shown = now;
      const what = shownOnOneLine(now);
      const percent = total === 0 ? 0 : Math.floor((done / total) * 100);
      write(isTerminal ? `\r\x1b[K${name} ${percent} %  ${what}` : `${name}: ${what} (${done} of ${total} steps)\n`);
    },
    end: () => {
      if (isTerminal && shown !== "") write("\r\x1b[K");
    },
  };
}
