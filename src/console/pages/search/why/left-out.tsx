import type { CandidateView } from "../../../api/schemas.gen.ts";
import { Badge } from "../../../kit/controls.tsx";
import { decimals } from "../../../kit/numbers.ts";
import { Text } from "../../../kit/text.tsx";

const EXCLUDED: Readonly<Record<NonNullable<CandidateView["excluded"]>, string>> = {
  below_min_similarity: "not similar enough",
  below_min_score: "scores too little",
  same_text: "same text as a newer one",
  trimmed_by_top_k: "ranks too low",
  answered_by_successor: "what took its place is returned",
};

interface LeftOutProps {
  readonly candidates: readonly CandidateView[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

const FIRST = 40;

/** What was considered but is not returned, best first, each with the reason. */
export function LeftOut({ candidates, chosen, onChoose }: LeftOutProps) {
  const ranked = candidates.map((one, i) => ({ ...one, rank: i + 1 })).filter(({ excluded }) => excluded !== null);
  if (candidates.length === 0) return <p class="dim">Nothing was considered.</p>;
  if (ranked.length === 0) return <p class="dim">All that was considered is returned.</p>;
  return (
    <ul class="left-out" aria-label="Considered but not returned">
      {ranked.slice(0, FIRST).map(({ id, rank, title, excluded, score }) => (
        <li key={id}>
          <button type="button" class="left-out-row" data-row aria-pressed={id === chosen} onClick={() => onChoose(id)}>
            <span class="dim">{rank}</span>
            <span class="one-line">
              <Text value={title ?? id} max={120} />
            </span>
            <Badge word={excluded === null ? "" : EXCLUDED[excluded]} tone="plain" />
            <span class="signed-value">{decimals(score)}</span>
          </button>
        </li>
      ))}
      {ranked.length > FIRST && <li class="small dim">{ranked.length - FIRST} more rank lower.</li>}
    </ul>
  );
}
