/** The private thinking that some models send before their answer. */
const REASONING = /^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/i;
/** A fence around the whole of a reply, which many models put there unasked. */
const FENCED = /^```(?:json)?[^\S\n]*\n([\s\S]*?)```$/i;

/** A model's answer without the thinking before it; empty when it never came to an answer. */
export function withoutReasoning(text: string): string {
  const answer = text.replace(REASONING, "").trim();
  return /^<think(?:ing)?>/i.test(answer) ? "" : answer;
}

/** The JSON value that a reply is, all of it; undefined for anything else. */
export function readJson(text: string): unknown {
  const answer = withoutReasoning(text);
  try {
    return JSON.parse(FENCED.exec(answer)?.[1] ?? answer);
  } catch {
    return undefined;
  }
}
