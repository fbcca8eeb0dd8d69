import { createInterface } from "node:readline/promises";
import { shown } from "../../core/kernel/quoting/unseen.ts";
import type { Output } from "../output.ts";
import { UsageError } from "../usage.ts";

/** Whether somebody sits at a terminal who can be asked. */
export const isSomebodyThere = ({ isTerminal }: Output): boolean => isTerminal && process.stdin.isTTY === true;

/** Throws UsageError where nobody sits at a terminal who could be asked. */
export function requireSomebody(out: Output, instead = "Nobody can be asked here: add --yes."): void {
  if (!isSomebodyThere(out)) throw new UsageError(instead);
}

/** Whether whoever sits at the terminal says yes. */
export async function saysYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${shown(question)} [y/N] `);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
