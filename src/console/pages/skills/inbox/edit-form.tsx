import { useState } from "preact/hooks";
import { call } from "../../../api/call.ts";
import type { InboxCard } from "../../../api/schemas.gen.ts";
import { Button, Field } from "../../../kit/controls.tsx";
import { Panel } from "../../../kit/layout.tsx";
import { bytes } from "../../../kit/numbers.ts";
import { toast } from "../../../kit/toast.tsx";
import type { WithFactory } from "../factory.tsx";

const FIELDS = ["content", "description", "summary"] as const;
type Texts = Readonly<Record<(typeof FIELDS)[number], string>>;

interface EditFormProps extends WithFactory {
  readonly card: InboxCard;
  readonly onCancel: () => void;
  readonly onSaved: () => void;
  /** After the scan took the edited skill away. */
  readonly onContained: () => void;
}

/** Revises a staged skill; what is saved is scanned again. */
export function EditForm({ card, factory, onCancel, onSaved, onContained }: EditFormProps) {
  const { content, description, summary } = card;
  const before: Texts = { content: content ?? "", description: description ?? "", summary: summary ?? "" };
  const [texts, setTexts] = useState(before);
  const changed = FIELDS.filter((name) => texts[name] !== before[name]);
  const write = (name: keyof Texts) => (event: { currentTarget: { value: string } }) =>
    setTexts({ ...texts, [name]: event.currentTarget.value });
  const save = async () => {
    const body = Object.fromEntries(changed.map((name) => [name, texts[name]]));
    const { new_status } = await call("editSkill", { path: { slug: card.slug }, body });
    if (new_status !== "staged") {
      toast("Saved, and quarantined: the scan finds critical faults in it.", { kind: "problem" });
      return onContained();
    }
    toast("Saved and scanned again.");
    onSaved();
  };
  return (
    <Panel title="Edit">
      <div class="stack">
        <Field label="Description" hint={`What it does; at most ${bytes(factory.description_max_bytes)}.`}>
          {(id) => <textarea dir="auto" id={id} rows={2} value={texts.description} onInput={write("description")} />}
        </Field>
        <Field label="Summary" hint="When to use it: what search finds it by.">
          {(id) => <textarea dir="auto" id={id} rows={2} value={texts.summary} onInput={write("summary")} />}
        </Field>
        <Field label="Text" hint={`At most ${bytes(factory.body_max_bytes)}.`}>
          {(id) => (
            <textarea
              dir="auto"
              id={id}
              class="code"
              spellcheck={false}
              rows={22}
              value={texts.content}
              onInput={write("content")}
            />
          )}
        </Field>
        <div class="actions">
          <Button kind="primary" disabled={changed.length === 0} onClick={save}>
            Save and scan
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </div>
      </div>
    </Panel>
  );
}
