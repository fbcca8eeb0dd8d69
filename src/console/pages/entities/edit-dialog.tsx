import { useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import type { CallProblem } from "../../api/problem.ts";
import { asProblem } from "../../api/problem.ts";
import type { EntityChange, EntityDetail } from "../../api/schemas.gen.ts";
import { Button, Field, Select } from "../../kit/controls.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Problem } from "../../kit/layout.tsx";
import { toast } from "../../kit/toast.tsx";
import { ENTITY_TYPES } from "./types.ts";

const NAME_MAX = 200;

interface EditDialogProps {
  readonly entity: EntityDetail;
  readonly onClose: () => void;
  /** Called with the entity that has the name already, to make both one. */
  readonly onMerge: (otherId: string) => void;
}

/** Renames and retypes an entity, and gives it another name more. */
export function EditDialog({ entity, onClose, onMerge }: EditDialogProps) {
  const { id } = entity;
  // Another name that it is given meanwhile is not taken back by who changes something else.
  const [{ canonical_name, entity_type }] = useState(entity);
  const [name, setName] = useState(canonical_name);
  const [type, setType] = useState(entity_type);
  const [alias, setAlias] = useState("");
  const [problem, setProblem] = useState<CallProblem | null>(null);
  const change: EntityChange = {
    ...(name.trim() === canonical_name ? {} : { canonical_name: name.trim() }),
    ...(type === entity_type ? {} : { entity_type: type }),
    ...(alias.trim() === "" ? {} : { aliases: [alias.trim()] }),
  };
  const isNothing = Object.keys(change).length === 0 || name.trim() === "";
  const save = async () => {
    setProblem(null);
    try {
      await changeEntity(id, change);
    } catch (error) {
      setProblem(asProblem(error));
      return;
    }
    const before: EntityChange = {
      ...(change.canonical_name === undefined ? {} : { canonical_name }),
      ...(change.entity_type === undefined ? {} : { entity_type }),
    };
    const undo = Object.keys(before).length > 0 ? () => changeEntity(id, before) : null;
    toast("Changed.", { undo });
    onClose();
  };
  const takenBy = problem?.code === "CONFLICT" ? problem.details.entity_id : null;
  return (
    <Dialog title="Rename or retype" onClose={onClose}>
      <div class="stack">
        <NameField
          label="Name"
          hint="The former name stays one of its other names, so that memories that use it still lead here."
          value={name}
          onChange={setName}
        />
        <Field label="Type">
          {(fieldId) => <Select id={fieldId} value={type} options={ENTITY_TYPES} onChange={setType} />}
        </Field>
        <NameField label="Add another name" hint="It cannot be taken off again." value={alias} onChange={setAlias} />
        {problem && typeof takenBy !== "string" && <Problem problem={problem} />}
        {typeof takenBy === "string" && (
          <p class="problem" role="alert">
            Another entity is called so already. If both are one thing, merge them.
          </p>
        )}
        <div class="actions">
          <Button kind="primary" disabled={isNothing} onClick={save}>
            Save
          </Button>
          {typeof takenBy === "string" && <Button onClick={() => onMerge(takenBy)}>Merge the two instead</Button>}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  );
}

const changeEntity = (entity_id: string, body: EntityChange): Promise<EntityDetail> =>
  call("changeEntity", { path: { entity_id }, body });

interface NameFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const NameField = ({ label, hint, value, onChange }: NameFieldProps) => (
  <Field label={label} hint={hint}>
    {(id) => (
      <input
        dir="auto"
        id={id}
        maxLength={NAME_MAX}
        value={value}
        autocomplete="off"
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )}
  </Field>
);
