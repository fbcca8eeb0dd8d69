import type { Loaded } from "../../../api/query.ts";
import { Button } from "../../../kit/controls.tsx";
import { Panel, Show } from "../../../kit/layout.tsx";
import { memoryAddress } from "../../../kit/memory-words.ts";
import { plural } from "../../../kit/numbers.ts";
import { rowId } from "../found/found-row.tsx";
import { StageTimes } from "../found/stage-times.tsx";
import { LinkedText } from "../linked-text.tsx";
import { Warnings } from "../warnings.tsx";
import type { RecallReplies } from "./use-recall.ts";

interface RecallPanelProps {
  readonly of: Loaded<RecallReplies>;
  /** Ids of what the search returned, best first. */
  readonly found: readonly string[];
  readonly onGo: () => void;
}

/** What an agent that recalls is told: a summary, with what it is taken from. */
export function RecallPanel({ of, found, onGo }: RecallPanelProps) {
  const cite = (id: string) => <Citation id={id} rank={found.indexOf(id) + 1} onGo={onGo} />;
  return (
    <Panel
      title="What a recall would say"
      actions={
        <Button onClick={of.reload} disabled={of.loading}>
          Recall again
        </Button>
      }
    >
      <Show of={of}>
        {({ summary, recall_provider, recall_model, recall_ms, memory_count, warnings, diagnostic }) => (
          <div aria-busy={of.loading} class={of.loading ? "is-old" : ""}>
            <p class="recall-summary">
              <LinkedText value={summary} link={cite} />
            </p>
            <p class="small dim">
              From {plural(memory_count, "memory", "memories")}, written by{" "}
              {recall_provider === "local" ? "Cairn itself, in sentences of the memories" : recall_provider} (
              <code>{recall_model}</code>) in {recall_ms} ms.
            </p>
            <Warnings of={warnings} />
            {diagnostic && (
              <details>
                <summary>Stages with their times</summary>
                <StageTimes stages={diagnostic.stages} took_ms={null} />
              </details>
            )}
          </div>
        )}
      </Show>
    </Panel>
  );
}

interface CitationProps {
  readonly id: string;
  /** Its place among what the search returned; 0 for none. */
  readonly rank: number;
  readonly onGo: () => void;
}

/** A link to the row that is cited, by its rank; to the memory where it is not among the rows. */
function Citation({ id, rank, onGo }: CitationProps) {
  if (rank === 0)
    return (
      <a href={memoryAddress(id)} title={id}>
        another memory
      </a>
    );
  const go = () => {
    onGo();
    // The row may be in a tab that this opens.
    requestAnimationFrame(() => {
      const row = document.getElementById(rowId(id));
      row?.scrollIntoView({ block: "center" });
      row?.focus();
    });
  };
  return (
    <button
      type="button"
      class="link citation"
      title={`Memory ${id}`}
      aria-label={`Cited: number ${rank}`}
      onClick={go}
    >
      {rank}
    </button>
  );
}
