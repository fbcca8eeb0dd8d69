import { useState } from "preact/hooks";
import type { CandidateView, Memory } from "../../../api/schemas.gen.ts";
import { Badge } from "../../../kit/controls.tsx";
import { memoryAddress } from "../../../kit/memory-words.ts";
import { decimals } from "../../../kit/numbers.ts";
import { Origin } from "../../../kit/origin.tsx";
import { Text } from "../../../kit/text.tsx";
import { Time } from "../../../kit/time.tsx";
import { WhyHere } from "../why/why-here.tsx";

const SHOWN_MAX = 320;

interface FoundRowProps {
  readonly memory: Memory;
  readonly rank: number;
  /** What the diagnostic says of it; null for a row that was put in. */
  readonly candidate: CandidateView | null;
  readonly scale: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly isCited: boolean;
}

/** The id of a row's element, for links to it. */
export const rowId = (memory_id: string): string => `found-${memory_id}`;

/** One memory that is returned: what it says, where it comes from, why it stands where it stands. */
export function FoundRow({ memory, rank, candidate, scale, isOpen, onToggle, isCited }: FoundRowProps) {
  const { id, content, memory_type, status, agent_id, agent_display_name, score } = memory;
  const [isWhole, setWhole] = useState(false);
  const isLong = content.length > SHOWN_MAX;
  const why = candidate?.why;
  return (
    <li id={rowId(id)} class={`found ${isCited ? "is-cited" : ""}`} tabIndex={-1}>
      <div class="row found-head">
        <strong class="found-rank">{rank}</strong>
        <Badge word={memory_type} tone="plain" />
        <Badge word={status} />
        {memory.injected && <Badge word="put in" tone="warn" />}
        {isCited && <Badge word="cited" tone="good" />}
        <span class="found-score" title={score === null ? "It has no score of its own" : `score ${score}`}>
          {score === null ? "no score" : decimals(score)}
        </span>
      </div>
      <a class="found-text" data-row href={memoryAddress(id)}>
        {isWhole ? <Text value={content} /> : <Text value={content} max={SHOWN_MAX} />}
      </a>
      {isLong && (
        <button type="button" class="link small" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : "Show all of it"}
        </button>
      )}
      <p class="small dim found-from">
        <Origin of={memory} /> · <Text value={agent_display_name ?? agent_id} /> ·{" "}
        <Time at={memory.ts_valid_start ?? memory.created_at} />
      </p>
      {why && <p class="small">{capital(why)}.</p>}
      <Places memory={memory} />
      {candidate && (
        <button type="button" class="small found-why" aria-expanded={isOpen} onClick={onToggle}>
          Why here?
        </button>
      )}
      {candidate && isOpen && <WhyHere candidate={candidate} scale={scale} />}
    </li>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** How a row got its place by something else than its rank. */
const Places = ({ memory: { injected, superseded_by } }: { memory: Memory }) => (
  <>
    {injected && (
      <p class="small">
        It did not rank by itself: it stands here because it took the place of the superseded memory below it.
      </p>
    )}
    {superseded_by && superseded_by.length > 0 && (
      <div class="small">
        It took the place of:
        <ul class="found-old">
          {superseded_by.map(({ old_memory_id, old_status, old_content_preview, reason }) => (
            <li key={old_memory_id}>
              <a href={memoryAddress(old_memory_id)}>
                <Text value={old_content_preview} max={160} />
              </a>{" "}
              <Badge word={old_status} />{" "}
              <span class="dim" title={reason}>
                {reason === "rdf_conflict" ? "says otherwise of the same" : "says otherwise in other words"}
              </span>
            </li>
          ))}
        </ul>
      </div>
    )}
  </>
);
