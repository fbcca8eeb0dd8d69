import type { WhyNotCheck, WhyNotStage } from "../../../api/schemas.gen.ts";
import { LinkedText } from "../linked-text.tsx";

const STAGES: readonly (readonly [stage: WhyNotStage, words: string])[] = [
  ["exists", "It exists and is seen"],
  ["filters", "It fits the options"],
  ["vector", "Its vector is there"],
  ["candidates", "It is considered"],
  ["min_similarity", "It is similar enough"],
  ["min_score", "It scores enough"],
  ["same_text", "Its text is its own"],
  ["successor", "Nothing took its place"],
  ["top_k", "There is room for it"],
  ["returned", "It is returned"],
];

/** The stages of a search as steps: those a memory came through, the one at which it fell, those it did not reach. */
export const Steps = ({ checks }: { checks: readonly WhyNotCheck[] }) => (
  <ol class="steps">
    {STAGES.map(([stage, words]) => {
      const check = checks.find((one) => one.stage === stage);
      const state = check === undefined ? "unreached" : check.passed ? "passed" : "failed";
      return (
        <li key={stage} class={`step is-${state}`}>
          <span class="step-mark" aria-hidden="true">
            {{ passed: "✓", failed: "✕", unreached: "·" }[state]}
          </span>
          <div>
            <strong title={stage}>{words}</strong>
            <span class="hidden-visually">
              {{ passed: ": came through", failed: ": fell here", unreached: ": not reached" }[state]}
            </span>
            {check && (
              <p class="small dim">
                <LinkedText value={check.detail} />
              </p>
            )}
          </div>
        </li>
      );
    })}
  </ol>
);
