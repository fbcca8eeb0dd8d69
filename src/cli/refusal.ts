import { ERRORS } from "../core/kernel/errors.ts";
import { sentence } from "../core/kernel/text.ts";
import type { CallLocal } from "./call.ts";
import { Refused } from "./call.ts";

/** Where a command line has a better way than a program that calls the API. */
const NEXT: Readonly<Record<string, string>> = {
  AGENT_TRUST_TOO_LOW: "An administrator grants it with `cairn agents trust AGENT LEVEL`.",
  PRECONDITION_FAILED: "`cairn history ID` shows what it says now, and said before.",
  UNAUTHORIZED: "Set CAIRN_KEY; `cairn keys create` makes a key.",
};

/** Codes of which the message alone says what is wrong, and how it is right. */
const TOLD = ["INVALID_ARGUMENTS", "BAD_REQUEST"];

/** A refusal for people: what the server said, its code, and what to do, unless the message tells that itself. */
export function sayRefusal({ message, code }: Refused): string {
  const known = Object.entries(ERRORS).find(([name]) => name === code)?.[1];
  const isTold = message.includes("`") || TOLD.includes(code) || (code === "CONFLICT" && /[.?!] [A-Z]/.test(message));
  return [message, `(${code})`, isTold ? "" : (NEXT[code] ?? known?.next)].filter(Boolean).join(" ");
}

/** Calls of which a refusal of one kind also says where to look. */
export const hinting =
  (call: CallLocal, hint: string, code = "NOT_FOUND"): CallLocal =>
  (...asked) =>
    call(...asked).catch((error: unknown) => {
      if (!(error instanceof Refused) || error.code !== code) throw error;
      throw new Refused(`${sentence(error.message)} ${hint}`, error.code, error.status, error.details);
    });
