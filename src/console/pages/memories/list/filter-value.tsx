import { useId, useState } from "preact/hooks";
import { useCall } from "../../../api/query.ts";
import { Select } from "../../../kit/controls.tsx";
import { projectOptions } from "../../../kit/project-select.tsx";
import type { FilterName } from "./filters.ts";
import { filterOf } from "./filters.ts";

interface FilterValueProps {
  readonly name: FilterName;
  /** Told the members of the address that the value is. */
  readonly onSet: (members: Readonly<Record<string, string>>) => void;
}

const EVERYONE = "everyone";

/** Where the value of one filter is given: chosen where there are few, else written, with what there is to choose from. */
export function FilterValue({ name, onSet }: FilterValueProps) {
  const { words, kind, options } = filterOf(name);
  const [typed, setTyped] = useState("");
  if (options)
    return (
      <Select
        label={words}
        value=""
        options={[["", "Choose"] as const, ...options]}
        onChange={(one) => one && onSet({ [name]: one })}
      />
    );
  if (kind === "place")
    return (
      <Select
        label={words}
        value=""
        options={[
          ["", "Choose"],
          [EVERYONE, "what is for everyone"],
          ...projectOptions().map(([id, shown]) => [`=${id}`, shown] as const),
        ]}
        onChange={(one) => one && onSet(one === EVERYONE ? { shared_only: "true" } : { fleet_id: one.slice(1) })}
      />
    );
  const submit = (event: Event) => {
    event.preventDefault();
    const value = typed.trim();
    if (value !== "") onSet({ [name]: kind === "moment" ? new Date(value).toISOString() : value });
  };
  return (
    <form class="row" onSubmit={submit}>
      {kind === "words" ? (
        <NamedInput name={name} label={words} value={typed} onInput={setTyped} />
      ) : (
        <input
          dir="auto"
          aria-label={words}
          required
          {...(kind === "number" ? { type: "number", min: 0, max: 1, step: 0.01 } : { type: "datetime-local" })}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      <button type="submit">Apply</button>
    </form>
  );
}

interface NamedInputProps {
  readonly id?: string;
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** An input that suggests the agents there are where one is to be named. */
export function NamedInput({ id, name, label, value, onInput }: NamedInputProps) {
  const list = useId();
  const isAgent = name === "written_by" || name === "agent_id";
  const agents = useCall("listAgents", isAgent ? {} : null);
  const names = (agents.data ?? []).map(({ agent_id }) => agent_id);
  return (
    <>
      <input
        dir="auto"
        id={id}
        type="text"
        aria-label={id === undefined ? label : undefined}
        list={list}
        autocomplete="off"
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <datalist id={list}>
        {names.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}
