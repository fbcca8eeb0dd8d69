import { Field, Select } from "../../kit/controls.tsx";
import type { SettingValue } from "./settings-tree.ts";
import { settingWords } from "./settings-words.ts";

interface SettingFieldProps {
  readonly path: string;
  readonly value: SettingValue;
  readonly isChanged: boolean;
  readonly problem: string | null;
  readonly onChange: (value: SettingValue) => void;
}

/** One setting as the input that fits its value; null stands for no limit. */
export function SettingField({ path, value, isChanged, problem, onChange }: SettingFieldProps) {
  const { name, about, unit, choices } = settingWords(path);
  const hint = [about, unit && `In ${unit}.`, path].filter(Boolean).join(" ");
  return (
    <Field label={`${name}${isChanged ? " (changed)" : ""}`} hint={hint} problem={problem}>
      {(id) =>
        choices ? (
          <Select id={id} value={String(value)} options={choices} onChange={onChange} />
        ) : (
          <Input id={id} value={value} onChange={onChange} />
        )
      }
    </Field>
  );
}

interface InputProps {
  readonly id: string;
  readonly value: SettingValue;
  readonly onChange: (value: SettingValue) => void;
}

function Input({ id, value, onChange }: InputProps) {
  if (typeof value === "boolean")
    return (
      <input
        id={id}
        type="checkbox"
        checked={value}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  if (typeof value === "string")
    return (
      <input
        dir="auto"
        id={id}
        type="text"
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  return (
    <input
      id={id}
      type="number"
      step={1}
      placeholder="no limit"
      value={value ?? ""}
      onInput={({ currentTarget: { value: typed, validity } }) => {
        // What is no number reads as empty, and empty is no limit.
        if (!validity.badInput) onChange(typed === "" ? null : Number(typed));
      }}
      onBlur={({ currentTarget }) => {
        if (currentTarget.validity.badInput) currentTarget.value = value === null ? "" : String(value);
      }}
    />
  );
}
