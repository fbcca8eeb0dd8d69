/** A skill drawn from a cluster, before any gate has looked at it. */
export interface SkillDraft {
  readonly name: string;
  readonly slug: string;
  readonly domain: string;
  readonly description: string;
  /** The sentence that search embeds: when to use it. */
  readonly summary: string;
  readonly content: string;
  readonly tags: readonly string[];
  /** What it achieves, in one phrase. */
  readonly goal: string;
  /** The steps as one line each, for the fingerprint. */
  readonly steps: readonly string[];
  /** Memories that its steps stand in, at most as many as a skill may cite. */
  readonly cites: readonly string[];
}
