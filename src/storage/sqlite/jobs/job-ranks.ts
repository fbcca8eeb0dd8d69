import type { JobKind } from "../../../core/schema/job.ts";

/** What searches wait for, as what is not embedded yet is found by keyword alone; and everything else. */
const FIRST = 0;
const LATER = 1;
const FIRST_KINDS: readonly JobKind[] = ["embed_memories", "embed_documents"];
/** One claim in so many takes from the others first, so that a long import does not keep them waiting for its end. */
const TURN_OF_OTHERS = 4;

/** How early a kind of job has its turn. */
export const rankOf = (kind: JobKind): number => (FIRST_KINDS.includes(kind) ? FIRST : LATER);

/** The order in which ranks are asked for their next job, claim after claim. */
export function rankTurns(): () => readonly [number, number] {
  let claims = 0;
  return () => (++claims % TURN_OF_OTHERS === 0 ? [LATER, FIRST] : [FIRST, LATER]);
}
