/** How much hooks tell. */
export const HOOK_LEVELS = ["quiet", "normal", "generous"] as const;
export type HookLevel = (typeof HOOK_LEVELS)[number];
export const DEFAULT_LEVEL: HookLevel = "normal";

/**
 * What a row must score to be told unasked. In the sets of `test/relevance` that ranking is chosen by, 94 of 100 questions
 * have a row that reaches the middle floor, and more than half of such rows answer; a row that does not is told once a session. Of
 * prompts on which no note bears 64 of 100 are told nothing, 95 from the upper floor on and 23 from the lower one; of what must be told
 * .23, .12 and .33 is (`scripts/evaluate/prompts.ts --level`, each on a server of its own).
 */
export const FLOORS: Readonly<Record<HookLevel, number>> = { quiet: 0.4, normal: 0.2, generous: 0.1 };
