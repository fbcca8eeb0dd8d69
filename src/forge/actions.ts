import { imperativeOf } from "./wording/imperative.ts";
import { isForm, verbOf } from "./wording/verbs.ts";

/** Where one action may end and the next one begin. */
const JOINT =
  /(?<!\s)(?:\s*;\s+|\s*(?:->|\u2192|=>)\s*|(?:\s*,)?\s+(?:and then|and|then|but|so)\s+(?=\p{L})|\s*,\s+(?=\p{L})|(?<!\b(?:as|that|which|because|since|when|while|if|until|before|after|what|how|where|than|why))\s+(?=(?:I|we)\s+\p{Ll}))/gu;
const SUBJECT =
  /^(?:(?:then|also|so|and|only then|afterwards|finally|immediately|later)\s+)*(?:(?:i|we)\s+)?(?:(?:then|also|just|only|immediately|\p{Ll}+ly)\s+)*/iu;
/** Words with which a base form is an instruction in the middle of a sentence, and no noun. */
const AFTER_BASE =
  /^(?:the|a|an|all|each|every|this|that|these|both|its|it|them|for|with|on|to|into|from|off|up|down|out|in|any|new|\d+)$/i;

/**
 * A sentence cut into what was done one after the other: "tested it, reloaded and watched the log" are three actions. What is
 * no action of its own, such as a purpose or a reason, stays with the action before it.
 */
export function actionsOf(sentence: string): string[] {
  const parts: string[] = [];
  const isInstruction = isForm(firstWord(sentence), "base");
  let from = 0;
  for (const joint of sentence.matchAll(JOINT)) {
    const next = sentence.slice(joint.index + joint[0].length);
    if (joint[0].trim() !== ";" && !beginsDeed(next, isInstruction)) continue;
    parts.push(sentence.slice(from, joint.index));
    from = joint.index + joint[0].length;
  }
  parts.push(sentence.slice(from));
  return parts.map((part) => part.replace(SUBJECT, "").trim()).filter((part) => part !== "");
}

/** Whether a text that follows a comma or an "and" tells a action of its own. */
function beginsDeed(text: string, isInstruction: boolean): boolean {
  const rest = text.replace(SUBJECT, "");
  const hasSubject = /^(?:\p{Ll}+\s+)*(?:I|we)\s/u.test(text);
  const [, first = "", next = ""] = /^(\p{L}+)(?:\s+([\p{L}\p{N}-]+))?/u.exec(rest) ?? [];
  const verb = verbOf(first);
  if (!verb || next === "") return false;
  if (verb.forms.has("past") && !verb.forms.has("base"))
    return !/^(?:by|as|from|of|to|at|in)$/.test(next) || hasSubject;
  if (hasSubject) return imperativeOf(rest) !== null;
  return isInstruction && verb.forms.has("base") && AFTER_BASE.test(next);
}

const firstWord = (text: string): string => (/\p{L}+/u.exec(text)?.[0] ?? "").toLowerCase();
