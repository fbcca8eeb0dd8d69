import { isatty } from "node:tty";
import type { CallLocal } from "./call.ts";
import { printError } from "./print.ts";

/** After so long somebody wonders whether anything happens. */
const WAIT_MS = 500;
const FRAME_MS = 100;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** Calls that show a sign of life on a terminal's standard error while they take longer than half a second. */
export const withSpinner =
  (call: CallLocal, isTerminal = isatty(2), write = printError): CallLocal =>
  async (...asked) => {
    if (!isTerminal) return call(...asked);
    let frame = 0;
    let ticking: ReturnType<typeof setInterval> | undefined;
    const begun = setTimeout(() => {
      ticking = setInterval(() => write(`\r${FRAMES[frame++ % FRAMES.length]} working`), FRAME_MS);
    }, WAIT_MS);
    try {
      return await call(...asked);
    } finally {
      clearTimeout(begun);
      if (ticking) {
        clearInterval(ticking);
        write("\r\u001b[K");
      }
    }
  };
