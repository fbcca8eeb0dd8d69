import type { MemoryStatus, MemoryType } from "../../core/schema/memory.ts";
import { DEFAULT_WEIGHT } from "../../core/schema/memory.ts";
import { CLUE } from "../../text/clues.ts";
import { READ_WITHIN } from "./memory-type.ts";

const CONFIRMED =
  /\b(?:(?:is|are|was|were|been|now|officially|finally|both|all|has|have|i|we|he|she|they|just|also) (?:confirmed|verified|double-?checked)|confirmed(?::| that\b| by\b| with\b)|verified (?:that|by|with|against))\b|^confirmed\b/i;
/** "Anna confirmed": a name before it. */
const SOMEBODY_CONFIRMED = /\b[A-ZÀ-Ý][\wß-ÿ]+ (?:confirmed|verified)\b/;
const UNCONFIRMED =
  /\b(?:not|n['’]t|never|nobody|no one|to be|must be|should be|can be|could be|will be|cannot be|until|once|if|when|unless|awaiting|waiting|before|after)(?: \w+){0,3} (?:confirmed|verified)\b|\bunconfirmed\b|\b(?:confirmed|verified) (?:users?|accounts?|emails?|purchases?)\b/i;
const FINISHED =
  /\b(?:is|are|was|were|been|already|now)\s+(?:done|completed?|finished|shipped|no longer needed|cancell?ed|dropped|abandoned)\b|^(?:done|completed|finished|cancell?ed)\b|\[x\]/i;
const ASKS = /^[^.!\n]{0,300}\?/;

export interface StatusContext {
  /** Type and text name something to do. */
  readonly isToDo: boolean;
  /** What `cluesOf` found in the text. */
  readonly clues: number;
}

/** Where a new row stands: `confirmed` when it says so, `pending` for a task or plan that is not done, else `active`. */
export function statusOf(
  content: string,
  { isToDo, clues }: StatusContext,
): Extract<MemoryStatus, "active" | "confirmed" | "pending"> {
  if (!isToDo && (clues & CLUE.confirmed) === 0) return "active";
  const text = content.slice(0, READ_WITHIN);
  if (ASKS.test(text)) return "active";
  if ((clues & CLUE.confirmed) !== 0 && saysConfirmed(text)) return "confirmed";
  return isToDo && !FINISHED.test(text) ? "pending" : "active";
}

const saysConfirmed = (text: string): boolean =>
  (CONFIRMED.test(text) || SOMEBODY_CONFIRMED.test(text)) && !UNCONFIRMED.test(text);

const TYPE_WEIGHTS: Readonly<Partial<Record<MemoryType, number>>> = {
  decision: 0.85,
  plan: 0.75,
  task: 0.7,
  preference: 0.7,
  episode: 0.65,
  action: 0.65,
};
const STRESSED =
  /\b(?:critical|crucial|important|importantly|urgent|vital|essential|mandatory|never|must|required|do not|warning|security|legally|emergency|allerg(?:ic|y))\b/i;
const HEDGED =
  /\b(?:maybe|perhaps|might|not sure|i guess|possibly|rumou?rs?|apparently|unconfirmed|allegedly|probably|supposedly)\b/i;
const STRESS = 0.1;
const HEDGE = 0.15;
const WEIGHT_MIN = 0.1;

export interface WeightContext {
  readonly type: MemoryType;
  /** What `cluesOf` found in the text. */
  readonly clues: number;
}

/** How much a row matters, 0 to 1: by its type, more where it is stressed, less where it doubts itself. */
export function weightOf(content: string, { type, clues }: WeightContext): number {
  const text = content.slice(0, READ_WITHIN);
  const isStressed = (clues & CLUE.stressed) !== 0 && STRESSED.test(text);
  const isHedged = (clues & CLUE.hedged) !== 0 && HEDGED.test(text);
  const base = TYPE_WEIGHTS[type] ?? DEFAULT_WEIGHT;
  const weight = base + (isStressed ? STRESS : 0) - (isHedged ? HEDGE : 0);
  return Math.round(Math.min(1, Math.max(WEIGHT_MIN, weight)) * 100) / 100;
}
