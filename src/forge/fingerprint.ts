import { sha256 } from "../core/kernel/hash.ts";
import { fold } from "../text/words/letters.ts";
import { STOP_WORDS } from "../text/words/terms.ts";

export interface FingerprintParts {
  readonly goal: string;
  readonly domain: string;
  /** Ids of the entities that most of the runs share, the most central first. */
  readonly entities: readonly string[];
  readonly steps: readonly string[];
}

const GOAL_WORDS = 6;
const ENTITIES = 5;
const STEP_WORDS = 4;
/** Only longer words lose their plural. */
const PLURAL_MIN = 4;

/**
 * What makes two clusters the same for a reject: `fp:v1:` and the SHA-256 of four lines, as the product that this interface
 * comes from makes it, so that what was rejected there stays rejected here.
 */
export function clusterFingerprint({ goal, domain, entities, steps }: FingerprintParts): string {
  const lines = [
    `goal=${[...new Set(cleaned(goal))].sort().slice(0, GOAL_WORDS).join(" ")}`,
    `domain=${domain.trim().toLowerCase()}`,
    `entities=${entities.slice(0, ENTITIES).toSorted().join(",")}`,
    `steps=${steps.map((step) => cleaned(step).slice(0, STEP_WORDS).join(" ")).join("|")}`,
  ];
  return `fp:v1:${sha256(lines.join("\n"))}`;
}

const cleaned = (text: string): string[] =>
  (fold(text).match(/[a-z0-9]+/g) ?? [])
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => (word.length > PLURAL_MIN && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word));
