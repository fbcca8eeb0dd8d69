import { useState } from "preact/hooks";
import type { CallProblem } from "../../api/problem.ts";
import { asProblem } from "../../api/problem.ts";
import { fleetToWrite } from "../../api/projects.ts";
import type { KeystoneWrite } from "../../api/schemas.gen.ts";
import { Tabs } from "../../kit/controls.tsx";
import { JsonEditor } from "../../kit/json-editor.tsx";
import { Problem } from "../../kit/layout.tsx";
import { RuleForm } from "./rule-form.tsx";

interface RuleEditorProps {
  readonly rule: KeystoneWrite;
  readonly isNew: boolean;
  /** Throws CallProblem for what the server refuses. */
  readonly onSave: (rule: KeystoneWrite) => Promise<unknown>;
  readonly onCancel: () => void;
}

/** Writes or edits a rule, in a form or as JSON. */
export function RuleEditor({ rule, isNew, onSave, onCancel }: RuleEditorProps) {
  const [draft, setDraft] = useState(rule);
  const [as, setAs] = useState<"form" | "json">("form");
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const save = async (body: KeystoneWrite | Promise<KeystoneWrite>) => {
    try {
      await onSave(await body);
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  const saveDraft = () => save(withFleet(draft));
  // Safe: the server checks what it is sent, and its refusal is shown. Another name would leave the old rule in force.
  const saveJson = (value: Record<string, unknown>) =>
    save((isNew ? value : { ...value, doc_id: rule.doc_id }) as unknown as KeystoneWrite);
  return (
    <div class="stack">
      <Tabs
        label="Edit as"
        tabs={[
          ["form", "Form"],
          ["json", "JSON"],
        ]}
        current={as}
        onChange={setAs}
      />
      {problem && <Problem problem={problem} />}
      {as === "form" ? (
        <RuleForm draft={draft} isNew={isNew} onChange={setDraft} onSave={saveDraft} onCancel={onCancel} />
      ) : (
        <JsonEditor
          label={`The rule as JSON, saved from here: the form keeps its own.${isNew ? "" : " Its name stays as it is."}`}
          value={{ ...draft }}
          onSave={saveJson}
          onCancel={onCancel}
        />
      )}
    </div>
  );
}

/** A rule with the project that is meant by what was typed. */
const withFleet = async (rule: KeystoneWrite): Promise<KeystoneWrite> =>
  rule.fleet_id ? { ...rule, fleet_id: await fleetToWrite(rule.fleet_id) } : rule;
