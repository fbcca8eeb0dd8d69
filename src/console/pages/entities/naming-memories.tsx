import { useState } from "preact/hooks";
import { useCall } from "../../api/query.ts";
import { Badge } from "../../kit/controls.tsx";
import { Problem } from "../../kit/layout.tsx";
import { memoryAddress } from "../../kit/memory-words.ts";
import { count } from "../../kit/numbers.ts";
import { Text } from "../../kit/text.tsx";
import { Time } from "../../kit/time.tsx";

const FIRST = 6;
const TEXT_MAX = 220;

interface NamingMemoriesProps {
  /** Newest first. */
  readonly ids: readonly string[];
  readonly total: number;
}

/** Memories that name an entity; a few first, the rest on demand. */
export function NamingMemories({ ids, total }: NamingMemoriesProps) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? ids : ids.slice(0, FIRST);
  if (ids.length === 0) return <p class="dim">No memory that you may see names it.</p>;
  return (
    <>
      <ul class="entity-memories">
        {shown.map((id) => (
          <li key={id}>
            <NamingMemory id={id} />
          </li>
        ))}
      </ul>
      <p class="small dim">
        {shown.length} of {count(total)}.{" "}
        {shown.length < ids.length && (
          <button type="button" class="link" onClick={() => setIsWhole(true)}>
            Show {ids.length - shown.length} more
          </button>
        )}
      </p>
    </>
  );
}

function NamingMemory({ id }: { id: string }) {
  const { data, problem } = useCall("getMemory", { path: { memory_id: id } }, ["memories"]);
  if (problem) return <Problem problem={problem} />;
  if (!data) return <span class="dim">Loading</span>;
  return (
    <>
      <a href={memoryAddress(id)}>
        <Text value={data.content} max={TEXT_MAX} />
      </a>
      <div class="row small dim">
        <Badge word={data.status} /> <Time at={data.created_at} /> <bdi>{data.agent_id}</bdi>
      </div>
    </>
  );
}
