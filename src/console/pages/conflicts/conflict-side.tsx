import { useState } from "preact/hooks";
import { nameOfFleet } from "../../api/projects.ts";
import type { ClashingSpan, ConflictMemory } from "../../api/schemas.gen.ts";
import { Badge } from "../../kit/controls.tsx";
import { memoryAddress } from "../../kit/memory-words.ts";
import { MarkedText } from "../../kit/text.tsx";
import { Time } from "../../kit/time.tsx";
import { excerptOf } from "./excerpt.ts";

interface ConflictSideProps {
  readonly title: string;
  readonly memory: ConflictMemory;
  readonly span: ClashingSpan;
}

/** One of two memories that clash. */
export function ConflictSide({ title, memory, span }: ConflictSideProps) {
  const [isWhole, setIsWhole] = useState(false);
  const { content, status, agent_id, fleet_id, created_at, ts_valid_start } = memory;
  const excerpt = excerptOf(content, span);
  const whole = span.end > span.start ? [span] : [];
  return (
    <div class="conflict-side">
      <div class="row">
        <h3>{title}</h3>
        <Badge word={status} />
      </div>
      <p class="conflict-text">
        <MarkedText value={isWhole ? content : excerpt.value} spans={isWhole ? whole : excerpt.spans} />
      </p>
      {excerpt.isCut && (
        <button type="button" class="link small" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? "Show the part that clashes" : "Show the whole text"}
        </button>
      )}
      <p class="small dim conflict-from">
        Written <Time at={created_at} /> by <bdi>{agent_id}</bdi>
        {fleet_id === null ? (
          " in no project"
        ) : (
          <>
            {" "}
            in project <bdi>{nameOfFleet(fleet_id)}</bdi>
          </>
        )}
        {ts_valid_start !== null && (
          <>
            , about <Time at={ts_valid_start} />
          </>
        )}
        . <a href={memoryAddress(memory.id)}>Open the {title.toLowerCase()} memory</a>
      </p>
    </div>
  );
}
