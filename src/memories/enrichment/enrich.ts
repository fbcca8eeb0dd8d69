import type { MemoryStatus, MemoryType } from "../../core/schema/memory.ts";
import { cluesOf, plainWords } from "../../text/clues.ts";
import { readDates } from "../../text/dates/read-dates.ts";
import type { PiiType } from "../../text/personal-data.ts";
import { piiTypesOf } from "../../text/personal-data.ts";
import { typeOf } from "./memory-type.ts";
import { statusOf, weightOf } from "./status-and-weight.ts";
import { tagsOf } from "./tags.ts";
import { titleOf } from "./title.ts";
import type { Validity } from "./validity.ts";
import { validityOf } from "./validity.ts";

/** What a text tells of itself, by its words alone. */
export interface Enrichment extends Validity {
  readonly title: string | null;
  readonly memory_type: MemoryType;
  /** 0 to 1. */
  readonly weight: number;
  readonly status: MemoryStatus;
  readonly tags: readonly string[];
  readonly pii_types: readonly PiiType[];
}

export interface EnrichmentContext {
  /** The moment that "yesterday" counts from, in epoch milliseconds. */
  readonly reference: number;
  /** The type as the caller set it: what is inferred beside it must fit it. */
  readonly memory_type?: MemoryType | undefined;
}

/** Reads a statement: its title, kind, importance, state, subjects, time and what it must not leak. Pure. */
export function enrich(content: string, { reference, memory_type }: EnrichmentContext): Enrichment {
  const words = plainWords(content);
  const clues = cluesOf(words);
  const mentions = readDates(content, { reference, clues });
  const read = typeOf(content, { mentions, reference, clues });
  const type = memory_type ?? read;
  return {
    title: titleOf(content),
    memory_type: type,
    weight: weightOf(content, { type, clues }),
    // A task of the caller's that does not read like one may be of any state: only what both call open is.
    status: statusOf(content, { isToDo: isOpenKind(type) && isOpenKind(read), clues }),
    tags: tagsOf(content, words),
    pii_types: piiTypesOf(content, clues),
    ...validityOf(content, mentions, { memory_type: type, reference }),
  };
}

/** What is pending until it is done. */
const isOpenKind = (type: MemoryType): boolean => type === "task" || type === "plan";
