import { z } from "zod";
import { byteLength } from "../../core/kernel/text.ts";
import type { Services } from "../../core/ports/context.ts";
import type { Llm } from "../../core/ports/llm.ts";
import { lineOf, pageOf, tagsOf } from "../../text/llm/answer-fields.ts";
import { askJson } from "../../text/llm/ask-json.ts";
import { factsMissing } from "../../text/llm/facts.ts";
import { asData, dataRule } from "../../text/llm/prompt-data.ts";

/** How often a rewriting model sees the characters of a draft: once in, once out. */
const TIMES_SEEN = 2;
/** What a rewritten summary must begin with, or the draft's own stays. */
const TRIGGER = "Use when";

/** The words of a skill, before any gate has looked at it. */
export interface Draft {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly summary: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly domain: string;
}

const NAME_CHARACTERS = 100;
const DESCRIPTION_BYTES = 160;
const SUMMARY_CHARACTERS = 500;
const CONTENT_BYTES = 40_000;
const TAGS_MAX = 8;
/** A longer draft would not fit into what small models read and write; it stays as it is. */
const DRAFT_CHARACTERS_MAX = 12_000;
/** Tokens of the answer: as many as the content has at three characters each, and the other fields. */
const CHARACTERS_PER_TOKEN = 3;
const OTHER_TOKENS = 600;
const REWRITE_LIMIT_MS = 60_000;

const Rewritten = z.strictObject({
  name: lineOf(NAME_CHARACTERS),
  description: lineOf(DESCRIPTION_BYTES).refine((text) => byteLength(text) <= DESCRIPTION_BYTES),
  summary: lineOf(SUMMARY_CHARACTERS),
  content: pageOf(CONTENT_BYTES),
  tags: tagsOf(TAGS_MAX),
});

const SYSTEM = [
  "You put a draft of a skill, drawn from what agents did, into clear words for other agents.",
  dataRule("draft"),
  "Keep every step and every warning, in their order. Keep commands, paths, names, numbers and addresses exactly as written, and add none.",
  `name: up to six words. description: when to use it, one line of at most ${DESCRIPTION_BYTES} bytes. summary: one sentence that begins with "Use when" and says when to use it. content: Markdown with the steps. tags: at most ${TAGS_MAX}, lower case, joined by hyphens.`,
  'Answer with one JSON object and nothing else: {"name": text, "description": text, "summary": text, "content": text, "tags": [text]}',
].join("\n");

interface RewriteOptions {
  /** Tokens that may still be spent; what a rewrite costs is taken off. */
  readonly budget: { tokens: number };
  readonly description_max_bytes: number;
  readonly signal: AbortSignal;
}

/** A draft in the words of a language model, where there is one, the budget allows it, and its answer keeps the rules; else the draft. */
export async function rewriteWithin<T extends Draft>(
  { llm }: Pick<Services, "llm">,
  draft: T,
  { budget, description_max_bytes, signal }: RewriteOptions,
): Promise<T> {
  const cost = (draft.content.length / CHARACTERS_PER_TOKEN) * TIMES_SEEN;
  if (!llm || cost > budget.tokens) return draft;
  budget.tokens -= cost;
  const found = await rewriteDraft(llm, draft, signal);
  if (!found || byteLength(found.description) > description_max_bytes) return draft;
  return { ...draft, ...found, summary: found.summary.startsWith(TRIGGER) ? found.summary : draft.summary };
}

/**
 * The draft in a language model's words, with the same slug and domain. Null, and the draft stands, when there is no answer
 * in time, a field breaks its bounds, or a command, number, path or name of the steps was lost or made up.
 */
export async function rewriteDraft(llm: Llm, draft: Draft, signal: AbortSignal): Promise<Draft | null> {
  const { slug, domain, name, description, summary, content, tags } = draft;
  if (content.length > DRAFT_CHARACTERS_MAX) return null;
  const question = {
    system: SYSTEM,
    prompt: `${asData("draft", [{ name, description, summary, content, tags: [...tags], domain }])}\n\nRewrite it.`,
    max_tokens: Math.ceil(content.length / CHARACTERS_PER_TOKEN) + OTHER_TOKENS,
    answer: Rewritten,
    limit_ms: REWRITE_LIMIT_MS,
  };
  const found = await askJson(llm, question, signal);
  if (found === null) return null;
  const lost = factsMissing(content, found.content);
  const invented = factsMissing(wordsOf(found), wordsOf(draft));
  return lost.length === 0 && invented.length === 0 ? { ...found, slug, domain } : null;
}

const wordsOf = ({ name, description, summary, content }: Omit<Draft, "slug" | "tags" | "domain">): string =>
  [name, description, summary, content].join("\n");
