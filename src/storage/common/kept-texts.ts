import type { KeptText } from "../../core/ports/keeping/kept-texts.ts";
import type { ReadScope } from "../../core/ports/memory-filter.ts";
import type { Visibility } from "../../core/schema/access.ts";
import type { AudienceKey } from "./audiences.ts";
import { audienceOwner, isReader } from "./audiences.ts";

/** A text as it is stored: with whom its memory was for then. */
export interface KeptTextRow extends KeptText {
  readonly visibility: Visibility;
}

/** The texts that the reader saw when they were the memory's. */
export const seenThen = (rows: readonly KeptTextRow[], memory: AudienceKey, read_scope: ReadScope): KeptText[] =>
  rows
    .filter(({ visibility }) =>
      isReader({ kind: visibility, owner: audienceOwner({ ...memory, visibility }) }, read_scope),
    )
    .map(({ visibility: _then, ...text }) => text);
