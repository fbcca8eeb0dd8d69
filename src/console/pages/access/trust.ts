import type { Agent } from "../../api/schemas.gen.ts";

export type Trust = Agent["trust_level"];

/** Each level of trust in a word, and what it lets an agent do. */
const TRUSTS: readonly (readonly [level: Trust, word: string, about: string])[] = [
  [0, "restricted", "may do less than others"],
  [1, "standard", "reads and writes for its own project"],
  [2, "trusted", "also reads what other projects share"],
  [3, "administers", "also changes and deletes what others wrote, and writes for other projects"],
];

/** Such as `1, standard`. */
export const trustWords = (level: Trust): string => `${level}, ${TRUSTS[level]?.[1] ?? ""}`;

/** The choices of a list, by their number as text. */
export const TRUST_OPTIONS = TRUSTS.map(([level, word, about]) => [`${level}`, `${level} ${word}: ${about}`] as const);

/** The level that a choice stands for; null for none. */
export const trustOf = (text: string): Trust | null => TRUSTS.find(([level]) => `${level}` === text)?.[0] ?? null;
