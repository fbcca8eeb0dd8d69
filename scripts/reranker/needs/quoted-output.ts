/** Characters of a line that are looked at. */
const LINE_MAX = 400;
/** What begins and ends a block of code: more than a span of code in a line. */
const FENCE = /^[ \t]{0,8}(?:```[^`\n]*|~~~[^~\n]*)$/;
/** A frame of a stack trace: JavaScript and Java, Python, Ruby, Go, gdb and Rust. */
const FRAME =
  /^\s*(?:at [^\s(]+(?: \(|[.:]\S*$)|File "[^"\n]*", line \d+|from \S+:\d+:in\b|\S+\.go:\d+\b|#\d+\s+(?:0x[0-9a-f]+ in |\S+ \()|\d+:\s+(?:0x[0-9a-f]+ - )?\w+::)/;
/** A line that a program wrote: it begins with a moment, a level, or a mark of a shell or a test. */
const OUTPUT =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d|\[?\d\d:\d\d:\d\d|\[?(?:trace|debug|info|notice|warn(?:ing)?|error|fatal|panic|critical)\b[\]:|]|\$ |\+\+? |remote: |npm (?:err|warn)|E {3,})/i;
/** What says that something went wrong. */
const FAULT =
  /\b(?:errors?|exception|fail(?:s|ed|ure|ing)?|fatal|panic(?:ked)?|denied|refused|rejected|cannot|can't|could not|couldn't|unable|undefined|unexpected|missing|not found|no such|timed? ?out|mismatch|invalid|illegal|overflow|abort(?:ed)?|killed|exit(?:ed)? (?:code|status|with)|e[a-z]{4,}(?= )|[a-z]*(?:error|exception)|[45]\d\d)\b/i;

/** A prompt apart: what its writer says, and the lines of programs in it that say what went wrong. */
export interface PromptParts {
  readonly prose: string;
  /** In their order, each once. */
  readonly faults: readonly string[];
}

/** Tells what somebody pasted from what they wrote: bodies of code, frames of stacks and lines of logs are no prose. */
export function partsOfPrompt(prompt: string): PromptParts {
  const prose: string[] = [];
  const faults = new Set<string>();
  let isInBlock = false;
  for (const line of prompt.split("\n")) {
    const seen = line.slice(0, LINE_MAX);
    if (FENCE.test(seen)) isInBlock = !isInBlock;
    else if (FRAME.test(seen)) continue;
    else if (!isInBlock && !OUTPUT.test(seen)) prose.push(line);
    else if (FAULT.test(seen)) faults.add(seen.trim());
  }
  return { prose: prose.join("\n").trim(), faults: [...faults] };
}
