/** The body of a fenced block of code, or of an unclosed one. */
const FENCED = /^[ \t]*(```|~~~)[^\n]*\n([\s\S]*?)(?:\n[ \t]*\1[^\n]*(?=\n|$)|$(?![\s\S]))/gm;
/** A frame of a stack trace: JavaScript and Java, Python, Ruby, Go, gdb and Rust. */
const FRAME =
  /^\s*(?:at\s+\S+.*[:(]|File "[^"\n]*", line \d+|from \S+:\d+:in\b|\S+\.go:\d+\b|#\d+\s+(?:0x[0-9a-f]+\s+in\s|\S+ \()|\d+:\s+(?:0x[0-9a-f]+ - )?\w+::)/;
/** A line that a program wrote: begins with a moment, a level, a prompt or a mark of a quotation. */
const OUTPUT =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|\[?(?:trace|debug|info|notice|warn(?:ing)?|error|fatal|panic|critical)\b[\]:|]|[$>#%<]\s|\[[\w .:-]+\]\s|\+\+?\s|remote:|npm (?:err|warn)|E\s{2,})/i;
/** What says that something went wrong. */
const FAULT =
  /\b(?:error|errors?:|exception|fail(?:s|ed|ure|ing)?|fatal|panic(?:ked)?|denied|refused|rejected|cannot|can't|could not|couldn't|unable|undefined|unexpected|missing|not found|no such|timed? ?out|timeout|mismatch|invalid|illegal|overflow|abort(?:ed)?|killed|exit(?:ed)? (?:code|status|with)|E[A-Z]{4,}|[A-Za-z]*Error|[A-Za-z]+Exception)\b|\b[45]\d\d\b/;

/** A prompt apart into what its writer says and the lines of programs in it that say what went wrong. */
export interface Sorted {
  readonly prose: string;
  /** In their order, each once. */
  readonly faults: readonly string[];
}

/** Tells what somebody pasted from what they wrote: bodies of code, frames of stacks and lines of logs are no prose. */
export function sortPrompt(prompt: string): Sorted {
  const faults: string[] = [];
  const take = (line: string): boolean => FAULT.test(line) && !FRAME.test(line) && faults.push(line.trim()) > 0;
  const open = prompt.replaceAll(FENCED, (_, __, body: string) => {
    for (const line of body.split("\n")) take(line);
    return "";
  });
  const prose: string[] = [];
  for (const line of open.split("\n")) {
    if (FRAME.test(line)) continue;
    if (OUTPUT.test(line)) take(line);
    else prose.push(line);
  }
  return { prose: prose.join("\n").trim(), faults: [...new Set(faults)] };
}
