import { useId } from "preact/hooks";
import { Field } from "./controls.tsx";

interface SuggestingProps {
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | null;
  readonly placeholder?: string;
  readonly value: string;
  readonly disabled?: boolean;
  /** What may be meant; anything else may be written as well. */
  readonly suggestions: readonly string[];
  readonly onChange: (value: string) => void;
}

/** A labelled text that suggests what is known. */
export function Suggesting(props: SuggestingProps) {
  const { suggestions, onChange, value, placeholder, disabled = false, ...field } = props;
  const list = useId();
  return (
    <Field {...field}>
      {(id) => (
        <>
          <input
            dir="auto"
            id={id}
            list={list}
            value={value}
            disabled={disabled}
            placeholder={placeholder}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
          <datalist id={list}>
            {suggestions.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
