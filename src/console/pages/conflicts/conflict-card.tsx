import { useId, useState } from "preact/hooks";
import type { Conflict } from "../../api/schemas.gen.ts";
import { Button, Field } from "../../kit/controls.tsx";
import { decimals } from "../../kit/numbers.ts";
import { Time } from "../../kit/time.tsx";
import { ConflictSide } from "./conflict-side.tsx";
import { keyOf } from "./use-conflicts.ts";
import type { Decision } from "./words.ts";
import { confidenceWords, RESULTS, ruleWords } from "./words.ts";

const REASON_MAX = 1_000;

interface ConflictCardProps {
  readonly conflict: Conflict;
  readonly onDecide: (decision: Decision, reason: string) => Promise<void>;
}

/** Two memories that clash, why, and the ways to decide about them. */
export function ConflictCard({ conflict, onDecide }: ConflictCardProps) {
  const { newer, older, spans, result, rule, confidence, found_at, state } = conflict;
  const [reason, setReason] = useState<string | null>(null);
  const about = useId();
  const why = ruleWords(rule, result);
  const decide = (decision: Decision) => onDecide(decision, reason ?? "");
  return (
    <article class="panel conflict" tabIndex={-1} data-row data-conflict={keyOf(conflict)} aria-labelledby={about}>
      <h2 id={about} class="hidden-visually">
        {why}
      </h2>
      <div class="conflict-sides">
        <ConflictSide title="Older" memory={older} span={spans.older} />
        <ConflictSide title="Newer" memory={newer} span={spans.newer} />
      </div>
      <p class="small dim">
        {why}. Confidence: {confidenceWords(confidence)} ({decimals(confidence)}). Found <Time at={found_at} />.{" "}
        {RESULTS[result]}
      </p>
      {state !== "open" && <Reviewed conflict={conflict} />}
      {reason !== null && (
        <Field label="Reason" hint="Kept in the audit log with the decision.">
          {(id) => (
            <input
              dir="auto"
              id={id}
              maxLength={REASON_MAX}
              value={reason}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          )}
        </Field>
      )}
      <div class="actions">
        {state === "open" ? (
          <>
            <Decide decision="accept" onDecide={decide} />
            <Decide decision="both_stand" onDecide={decide} />
          </>
        ) : (
          <Decide decision="reopen" onDecide={decide} />
        )}
        {reason === null && (
          <button type="button" class="link small" onClick={() => setReason("")}>
            Give a reason
          </button>
        )}
      </div>
    </article>
  );
}

const Reviewed = ({ conflict: { reviewed_at, reviewed_by } }: { conflict: Conflict }) =>
  reviewed_at === null ? (
    <p class="small">Taken back by a change of the older memory’s status.</p>
  ) : (
    <p class="small">
      Decided <Time at={reviewed_at} /> by {reviewed_by === null ? "the owner" : <bdi>{reviewed_by}</bdi>}.
    </p>
  );

/** What each decision is called, its key, and what it does. */
const DECISIONS: Readonly<Record<Decision, readonly [name: string, key: string, about: string]>> = {
  accept: ["Accept", "a", "The newer memory holds; the older one is outdated."],
  both_stand: [
    "Both stand",
    "b",
    "Both are true; the older one gets its status back, and the two are not found again.",
  ],
  reopen: ["Reopen", "u", "Takes the decision back."],
};

/** What a key decides about a finding in its present state; null where it decides nothing. */
export function decisionOf(key: string, { state }: Conflict): Decision | null {
  const open: readonly Decision[] = ["accept", "both_stand"];
  return (state === "open" ? open : (["reopen"] as const)).find((one) => DECISIONS[one][1] === key) ?? null;
}

function Decide({ decision, onDecide }: { decision: Decision; onDecide: (decision: Decision) => Promise<void> }) {
  const [name, key, about] = DECISIONS[decision];
  return (
    <Button kind={decision === "accept" ? "primary" : "plain"} title={about} onClick={() => onDecide(decision)}>
      {name} <kbd>{key}</kbd>
    </Button>
  );
}
