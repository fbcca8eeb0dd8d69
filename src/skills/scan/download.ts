import type { Span } from "./sign.ts";

/** Commands that fetch, in lower case. */
export const FETCH =
  "\\b(?:curl|wget|aria2c|axel|lynx|xh|lwp-request|iwr|irm|invoke-webrequest|invoke-restmethod|start-bitstransfer)\\b";
const FETCHES = new RegExp(FETCH);
/** Where an answer is stored: the file named for it, else the last step of the address. */
const STORED = /(?:\s-\w*o|\s--output(?:-document)?|>|-outfile|-destination)[= ]{0,3}([^\s;&|<>]{1,200})/g;
const NAMED = /:\/\/[^\s;&|]{1,300}\/([\w.-]{1,100})(?=[\s;&|"'?]|$)/g;
/** What a command runs: the file that it is, or that it gives to an interpreter. */
const RUN =
  /^\s*(?:(?:sudo(?: -\S{1,80})*|env|nohup|exec|command|time)\s+)*(?:(?:(?:ba|z|da|k)?sh|python[23]?|perl|ruby|node|source|\.)\s+(?:-\w+\s+){0,5})?["']?(?:\.\/)?([^\s"']{1,200})/;
/** Commands of one line that are looked at. */
const COMMANDS_MAX = 2_000;

/** Commands that run, on the same line, a file that was fetched just before: nobody can have read it. */
export function* downloadedAndRun(text: string): Generator<Span> {
  for (const { index, 0: line } of text.matchAll(/[^\n]+/g)) {
    if (FETCHES.test(line)) for (const span of runsIn(line)) yield { ...span, index: index + span.index };
  }
}

function* runsIn(line: string): Generator<Span> {
  const fetched = new Set<string>();
  for (const { index, 0: command } of line.matchAll(/[^;&|]{1,4000}/g).take(COMMANDS_MAX)) {
    if (fetched.has(RUN.exec(command)?.[1] ?? "")) yield { index, length: command.trimEnd().length };
    if (FETCHES.test(command)) for (const name of namesIn(command)) fetched.add(name);
  }
}

function namesIn(command: string): string[] {
  const found = [...command.matchAll(STORED).take(20), ...command.matchAll(NAMED).take(20)];
  return found
    .map(([, name = ""]) => name.replace(/^["']?(?:\.\/)?|["']$/g, ""))
    .filter((name) => name !== "/dev/null");
}
