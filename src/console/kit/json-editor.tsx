import { useState } from "preact/hooks";
import { isRecord } from "../api/problem.ts";
import { Button, Field } from "./controls.tsx";

interface JsonEditorProps {
  readonly label: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onSave: (value: Record<string, unknown>) => Promise<unknown>;
  readonly onCancel: () => void;
}

/** Edits a JSON object as text; what is no JSON object is told, with its place, and not saved. */
export function JsonEditor({ label, value, onSave, onCancel }: JsonEditorProps) {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const { parsed, fault } = parse(text);
  return (
    <div class="json-editor">
      <Field label={label} problem={fault}>
        {(id) => (
          <textarea
            id={id}
            class="code"
            spellcheck={false}
            rows={Math.min(30, Math.max(8, text.split("\n").length + 1))}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Field>
      <div class="actions">
        <Button kind="primary" disabled={parsed === null} onClick={() => parsed && onSave(parsed)}>
          Save
        </Button>
        <Button onClick={() => parsed && setText(JSON.stringify(parsed, null, 2))} disabled={parsed === null}>
          Format
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  );
}

/** The object that a text holds, or why it holds none. */
function parse(text: string): { parsed: Record<string, unknown> | null; fault: string | null } {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return { parsed: { ...value }, fault: null };
    return { parsed: null, fault: "It must be a JSON object: { ... }." };
  } catch (error) {
    return { parsed: null, fault: error instanceof Error ? error.message : String(error) };
  }
}
