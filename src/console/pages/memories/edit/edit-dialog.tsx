import { useState } from "preact/hooks";
import { call } from "../../../api/call.ts";
import { faultsByMember } from "../../../api/faults.ts";
import type { CallProblem } from "../../../api/problem.ts";
import { asProblem } from "../../../api/problem.ts";
import type { MemoryDetail } from "../../../api/schemas.gen.ts";
import { Button, Field, Select } from "../../../kit/controls.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { KEPT_STATUSES, VISIBILITIES, WRITABLE_TYPES } from "../../../kit/memory-words.ts";
import { toast } from "../../../kit/toast.tsx";
import type { MemoryForm } from "./memory-form.ts";
import { formOf, metadataFault, patchOf } from "./memory-form.ts";
import { Refusal } from "./refusal.tsx";
import { ChangedMeanwhile, isOvertaken, useSeen } from "./seen.tsx";

interface EditDialogProps {
  readonly memory: MemoryDetail;
  readonly reload: () => void;
  readonly onClose: () => void;
}

/** Changes the fields of a memory; only those that were changed are sent, for the version from which somebody began. */
export function EditDialog({ memory, reload, onClose }: EditDialogProps) {
  const { seen, isStale, beginAnew } = useSeen(memory);
  const [before, setBefore] = useState(() => formOf(memory));
  const [form, setForm] = useState(before);
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const faults = { ...faultsByMember(problem), ...oneFault("metadata", metadataFault(form.metadata)) };
  const set = (name: keyof MemoryForm) => (value: string) => setForm({ ...form, [name]: value });
  const isChanged = JSON.stringify(before) !== JSON.stringify(form);
  const now = formOf(memory);
  const begin = () => {
    beginAnew();
    setBefore(now);
    setForm(now);
    setProblem(null);
  };
  const save = async () => {
    try {
      await call("patchMemory", { path: { memory_id: memory.id }, body: patchOf(before, form), version: seen });
      toast("The memory is changed.");
      onClose();
    } catch (error) {
      setProblem(asProblem(error));
      if (isOvertaken(asProblem(error))) reload();
    }
  };
  const input = (name: keyof MemoryForm, label: string, hint?: string, kind: keyof typeof INPUTS = "text") => (
    <Field label={label} {...(hint ? { hint } : {})} problem={faults[name] ?? null}>
      {(id) => (
        <input
          dir="auto"
          id={id}
          {...INPUTS[kind]}
          value={form[name]}
          onInput={({ currentTarget }) => set(name)(currentTarget.value)}
        />
      )}
    </Field>
  );
  const select = (name: keyof MemoryForm, label: string, options: readonly (string | readonly [string, string])[]) => (
    <Field label={label} problem={faults[name] ?? null}>
      {(id) => <Select id={id} value={form[name]} options={options} onChange={set(name)} />}
    </Field>
  );
  return (
    <Dialog title="Edit this memory" onClose={onClose} wide>
      <div class="stack">
        {isStale && <ChangedMeanwhile content={memory.content} onBegin={begin} />}
        <Refusal problem={problem} known={Object.keys(form)} />
        <Field label="Content" problem={faults.content ?? null}>
          {(id) => (
            <textarea
              dir="auto"
              id={id}
              rows={6}
              value={form.content}
              onInput={({ currentTarget }) => set("content")(currentTarget.value)}
            />
          )}
        </Field>
        {input("title", "Title", "Left empty, it has none.")}
        <div class="memory-fields">
          {select("memory_type", "Type", withOwn(WRITABLE_TYPES, memory.memory_type))}
          {select("status", "Status", KEPT_STATUSES)}
          {select("visibility", "Visible to", VISIBILITIES)}
          {input("weight", "Weight", "Importance from 0 to 1.", "number")}
          {input("ts_valid_start", "Holds from", undefined, "moment")}
          {input("ts_valid_end", "Holds until", undefined, "moment")}
          {input("expires_at", "Expires", "No agent is told it after that.", "moment")}
        </div>
        <Field
          label="Metadata"
          hint="A JSON object; it takes the place of the one there was."
          problem={faults.metadata ?? null}
        >
          {(id) => (
            <textarea
              id={id}
              class="code"
              spellcheck={false}
              rows={Math.min(16, form.metadata.split("\n").length + 1)}
              value={form.metadata}
              onInput={({ currentTarget }) => set("metadata")(currentTarget.value)}
            />
          )}
        </Field>
        <div class="actions">
          <Button kind="primary" onClick={save} disabled={!isChanged || metadataFault(form.metadata) !== null}>
            Save
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  );
}

const oneFault = (name: string, fault: string | null): Record<string, string> =>
  fault === null ? {} : { [name]: fault };

/** A value that can no longer be chosen stays a choice for who has it. */
const withOwn = (values: readonly string[], own: string): readonly string[] =>
  values.includes(own) ? values : [own, ...values];

const INPUTS = {
  text: { type: "text" },
  number: { type: "number", min: 0, max: 1, step: "any" },
  moment: { type: "datetime-local" },
} as const;
