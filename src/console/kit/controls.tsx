import type { ComponentChildren, JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { asProblem } from "../api/problem.ts";
import { copyText } from "./copy.ts";
import { cutTo } from "./text.tsx";
import { toast } from "./toast.tsx";

interface ButtonProps {
  /** Work that may take a while: the button is off meanwhile, and what it throws is told. */
  readonly onClick: () => unknown;
  readonly kind?: "plain" | "primary" | "danger" | "link";
  readonly disabled?: boolean;
  readonly title?: string;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** A button that does one thing at a time. */
export function Button({ onClick, kind = "plain", disabled = false, title, label, children }: ButtonProps) {
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      await onClick();
    } catch (error) {
      toast(asProblem(error).message, { kind: "problem" });
    } finally {
      setBusy(false);
    }
  };
  const off = disabled || busy;
  return (
    <button type="button" class={kind} onClick={run} disabled={off} title={title} aria-label={label} aria-busy={busy}>
      {children}
    </button>
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | null;
  readonly children: (id: string) => JSX.Element;
}

/** A labelled input, with what to write there and what is wrong with it. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
      {hint && <small class="dim">{hint}</small>}
      {problem && (
        <small class="field-problem" role="alert">
          {problem}
        </small>
      )}
    </div>
  );
}

interface SelectProps<T extends string> {
  readonly id?: string;
  readonly label?: string;
  readonly value: T;
  /** What may be chosen: the value alone, or with other words for it. */
  readonly options: readonly (T | readonly [value: T, words: string])[];
  readonly onChange: (value: T) => void;
}

export function Select<T extends string>({ id, label, value, options, onChange }: SelectProps<T>) {
  const pairs = options.map((option) => (typeof option === "string" ? ([option, option] as const) : option));
  return (
    <select
      id={id}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = pairs.find(([one]) => one === currentTarget.value);
        if (chosen) onChange(chosen[0]);
      }}
    >
      {pairs.map(([one, words]) => (
        <option key={one} value={one}>
          {words || "any"}
        </option>
      ))}
    </select>
  );
}

interface TabsProps<T extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [name: T, words: ComponentChildren])[];
  readonly current: T;
  readonly onChange: (name: T) => void;
}

/** A choice of few, of which one is shown below. */
export const Tabs = <T extends string>({ label, tabs, current, onChange }: TabsProps<T>) => (
  <fieldset class="tabs">
    <legend class="hidden-visually">{label}</legend>
    {tabs.map(([name, words]) => (
      <button key={name} type="button" class="tab" aria-pressed={name === current} onClick={() => onChange(name)}>
        {words}
      </button>
    ))}
  </fieldset>
);

/** A status, type or other word of few, coloured by its kind. */
export const Badge = ({ word, tone = "" }: { word: string; tone?: string }) => (
  <span class={`badge ${tone || `is-${word}`}`}>{word}</span>
);

/** One filter that is set: what it is, and a button that takes it off. */
export const Chip = ({ name, value, onRemove }: { name: string; value: string; onRemove: () => void }) => (
  <span class="chip">
    <span class="dim">{name}</span> {value}
    <button type="button" class="chip-off" aria-label={`Remove the filter ${name}`} onClick={onRemove}>
      ×
    </button>
  </span>
);

/** How far something is; without a share, only that it goes on. */
export const Progress = ({ label, share }: { label: string; share: number | null }) => (
  <div class="progress">
    <progress aria-label={label} max={1} {...(share === null ? {} : { value: Math.min(1, Math.max(0, share)) })} />
    <span>{share === null ? label : `${label}: ${Math.floor(share * 100)} %`}</span>
  </div>
);

/** A command or other text to be taken along, with a button that copies it. */
export const Copyable = ({ text, label = "Copy" }: { text: string; label?: string }) => (
  <div class="copyable">
    <pre>
      <code>{text}</code>
    </pre>
    <Button onClick={() => copyText(text)} label={`${label}: ${cutTo(text, 60)}`}>
      Copy
    </Button>
  </div>
);
