import type { EntityType } from "../../core/schema/entity.ts";

/** What part a thing plays in the statement that names it. */
export type MentionRole = "subject" | "object" | "mentioned";

/** A thing that a text names. */
export interface Mention {
  /** As written, without possessive ending. */
  readonly name: string;
  /** Equal for every way to write the name. */
  readonly key: string;
  /** `unknown` when nothing tells. */
  readonly entity_type: EntityType;
  readonly role: MentionRole;
  /** Where it begins, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Without, the capital may be that of a sentence: the name counts only where it is known already. */
  readonly sure: boolean;
}

/** Two names of one thing, as the text itself says: "Site Reliability Engineering (SRE)". */
export interface SameName {
  readonly alias: string;
  readonly alias_key: string;
  readonly key: string;
}
