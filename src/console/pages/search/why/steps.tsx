import type { WhyNotCheck, WhyNotStage } from "../../../api/schemas.gen.ts";
import { LinkedText } from "../linked-text.tsx";

const STAGES: readonly (readonly [stage: WhyNotStage, passed: string, failed: string])[] = [
  ["exists", "It exists and is seen", "It is not there"],
  ["filters", "It fits the options", "It does not fit the options"],
  ["vector", "It can be found by meaning", "It cannot be found by meaning yet"],
  ["candidates", "It is considered", "It is not considered"],
  ["min_similarity", "It is similar enough", "It is not similar enough"],
  ["min_score", "It scores enough", "It scores too little"],
  ["same_text", "Its text is its own", "A newer one has the same text"],
  ["successor", "Nothing took its place", "Something took its place"],
  ["top_k", "There is room for it", "There is no room for it"],
  ["returned", "It is returned", "It is not returned"],
];

/** The stages of a search as steps: those a memory came through, the one at which it fell, those it did not reach. */
export const Steps = ({ checks }: { checks: readonly WhyNotCheck[] }) => (
  <ol class="steps">
    {STAGES.map(([stage, passed, failed]) => {
      const check = checks.find((one) => one.stage === stage);
      const state = check === undefined ? "unreached" : check.passed ? "passed" : "failed";
      return (
        <li key={stage} class={`step is-${state}`}>
          <span class="step-mark" aria-hidden="true">
            {{ passed: "✓", failed: "✕", unreached: "·" }[state]}
          </span>
          <div>
            <strong title={stage}>{state === "failed" ? failed : passed}</strong>
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
