import { useCall } from "../../../api/query.ts";
import { Button } from "../../../kit/controls.tsx";
import { Empty } from "../../../kit/layout.tsx";
import { plural } from "../../../kit/numbers.ts";
import type { Changes } from "../ask/option-bar.tsx";
import type { Address } from "../ask/options.ts";
import { NO_OPTIONS, OPTIONS, setIn } from "../ask/options.ts";
import type { Answer } from "../use-search.ts";
import { NoMemories } from "./start.tsx";

interface NothingProps {
  readonly answer: Answer;
  readonly values: Address;
  readonly onChange: (changes: Changes) => void;
}

/** What stands where a search found nothing: what may be the cause, and ways to take it away. */
export function Nothing({ answer: { reply }, values, onChange }: NothingProps) {
  const stats = useCall("memoryStats", { query: { scope: "all" } }, ["memories"]);
  if (stats.data?.total === 0) return <NoMemories />;
  const set = setIn(values).filter((name) => name !== "top_k");
  const below = reply.diagnostic?.excluded_below_min_score ?? 0;
  const isWarned = (code: string) => reply.warnings?.some((warning) => warning.code === code) ?? false;
  return (
    <Empty title="Nothing was found">
      <ul class="nothing">
        {below > 0 && (
          <li>
            {plural(below, "memory scores", "memories score")} below the least score.{" "}
            <Button kind="link" onClick={() => onChange({ min_score: null })}>
              Drop the least score
            </Button>
          </li>
        )}
        {isWarned("embedding_pending") && (
          <li>Some memories have no vector yet: ask again in a moment, or in their words.</li>
        )}
        {isWarned("semantic_search_unavailable") && (
          <li>Words alone were looked up: ask in words that the memory holds.</li>
        )}
        {set
          .filter((name) => name !== "min_score" || below === 0)
          .map((name) => (
            <li key={name}>
              <Button kind="link" onClick={() => onChange({ [name]: null })}>
                Drop “{OPTIONS[name]}”
              </Button>
            </li>
          ))}
        {set.length > 1 && (
          <li>
            <Button kind="link" onClick={() => onChange(NO_OPTIONS)}>
              Drop all options
            </Button>
          </li>
        )}
        {set.length === 0 && <li>Ask in other words, or by a name that the memory holds.</li>}
        {values.caller_agent_id === undefined && (
          <li>What is private to an agent is found only when one searches as that agent.</li>
        )}
      </ul>
    </Empty>
  );
}
