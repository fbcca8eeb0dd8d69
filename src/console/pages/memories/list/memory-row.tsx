import { Badge } from "../../../kit/controls.tsx";
import { decimals } from "../../../kit/numbers.ts";
import { Origin } from "../../../kit/origin.tsx";
import { Text } from "../../../kit/text.tsx";
import { Time } from "../../../kit/time.tsx";
import type { Row } from "./rows.ts";

interface MemoryRowProps {
  readonly row: Row;
  /** Whether it may be chosen, and is; null where rows are opened. */
  readonly isChosen: boolean | null;
}

/** One memory of the list: what it says first, then whose it is and of when. */
export const MemoryRow = ({ row, isChosen }: MemoryRowProps) => (
  <span class="memory-row">
    <span class="one-line memory-content">
      {isChosen !== null && <span aria-hidden="true">{isChosen ? "☑ " : "☐ "}</span>}
      <Text value={row.content} />
    </span>
    <span class="memory-meta">
      {row.status !== "active" && <Badge word={row.status} />}
      <Badge word={row.memory_type} tone="type" />
      <span class="memory-names dim one-line">
        <Text value={row.agent_id} /> · <Origin of={row} />
      </span>
      <span class="memory-weight dim" title={`Weight ${decimals(row.weight)}`}>
        {decimals(row.weight)}
      </span>
      <span class="memory-time dim">
        <Time at={row.created_at} />
      </span>
    </span>
  </span>
);
