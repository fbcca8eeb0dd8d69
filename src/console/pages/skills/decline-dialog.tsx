import { useState } from "preact/hooks";
import type { CallProblem } from "../../api/problem.ts";
import { asProblem } from "../../api/problem.ts";
import { Button, Field } from "../../kit/controls.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Problem } from "../../kit/layout.tsx";
import { Text } from "../../kit/text.tsx";
import { toast } from "../../kit/toast.tsx";
import type { Decline } from "./declines.ts";

const DAYS_MAX = 365;

interface DeclineDialogProps {
  readonly decline: Decline;
  readonly skill: { readonly slug: string; readonly name: string };
  /** Days of cool-off where the reviewer names none. */
  readonly cooloffDays: number;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks for what one way of not approving needs, and says what it does. */
export function DeclineDialog({ decline, skill, cooloffDays, onClose, onDone }: DeclineDialogProps) {
  const [reason, setReason] = useState("");
  const [days, setDays] = useState(String(cooloffDays));
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const cooloff_days = Number(days);
  const fitsDays = Number.isInteger(cooloff_days) && cooloff_days >= 1 && cooloff_days <= DAYS_MAX;
  const isReady = (!decline.needsReason || reason.trim() !== "") && (!decline.needsDays || fitsDays);
  const submit = async () => {
    try {
      await decline.send(skill.slug, { reason: reason.trim(), cooloff_days });
    } catch (error) {
      // Told within the window, which lies over everything else.
      return setProblem(asProblem(error));
    }
    toast(decline.done);
    onClose();
    onDone();
  };
  return (
    <Dialog title={`${decline.verb} this skill?`} onClose={onClose}>
      <div class="stack">
        <p>
          <strong>
            <Text value={skill.name} max={200} />
          </strong>
        </p>
        <p>{decline.about}</p>
        <Field label={decline.needsReason ? "Reason" : "Reason (may be left out)"} hint="Kept in the audit log.">
          {(id) => (
            <textarea
              dir="auto"
              id={id}
              rows={3}
              maxLength={2_000}
              value={reason}
              required={decline.needsReason}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          )}
        </Field>
        {decline.needsDays && (
          <Field
            label="Cool-off in days"
            hint="So long the like of it is not taken again."
            problem={fitsDays ? null : `A whole number from 1 to ${DAYS_MAX}.`}
          >
            {(id) => (
              <input
                id={id}
                type="number"
                min={1}
                max={DAYS_MAX}
                value={days}
                onInput={({ currentTarget }) => setDays(currentTarget.value)}
              />
            )}
          </Field>
        )}
        {problem && <Problem problem={problem} />}
        <div class="actions">
          <Button kind={decline.kind === "danger" ? "danger" : "primary"} disabled={!isReady} onClick={submit}>
            {decline.verb}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  );
}
