import { useId, useLayoutEffect, useState } from "preact/hooks";
import { nameOfFleet } from "../../../api/projects.ts";
import { useCall } from "../../../api/query.ts";
import { Button, Chip, Field, Select } from "../../../kit/controls.tsx";
import { CURRENT_TYPES, KEPT_STATUSES } from "../../../kit/memory-words.ts";
import { projectOptions } from "../../../kit/project-select.tsx";
import type { Address, OptionName } from "./options.ts";
import { joined, NO_OPTIONS, namesIn, OPTIONS, setIn, TOP_K_DEFAULT, TOP_K_MAX } from "./options.ts";

export type Changes = Readonly<Partial<Record<OptionName, string | null>>>;
interface OptionBarProps {
  readonly values: Address;
  readonly onChange: (changes: Changes) => void;
}

/** What a search is narrowed by. */
export function OptionBar({ values, onChange }: OptionBarProps) {
  const agents = useCall("listAgents", {}, ["access"]);
  const agentList = useId();
  const written = (name: OptionName, attributes: object) => (
    <Field label={OPTIONS[name]}>
      {(id) => (
        <Written
          id={id}
          value={values[name] ?? ""}
          attributes={attributes}
          onWritten={(value) => onChange({ [name]: value })}
        />
      )}
    </Field>
  );
  const anyOf = <T extends string>(name: OptionName, options: readonly T[]) => (
    <Field label={OPTIONS[name]}>
      {(id) => (
        <Select<string>
          id={id}
          value={values[name] ?? ""}
          options={["", ...options]}
          onChange={(value) => onChange({ [name]: value })}
        />
      )}
    </Field>
  );
  return (
    <div class="stack">
      <div class="search-options">
        <Projects values={values} onChange={onChange} />
        {written("caller_agent_id", { list: agentList, placeholder: "nobody" })}
        {written("filter_agent_id", { list: agentList, placeholder: "any" })}
        {anyOf("memory_type", CURRENT_TYPES)}
        {anyOf("status", KEPT_STATUSES)}
        {written("top_k", { type: "number", min: 1, max: TOP_K_MAX, placeholder: String(TOP_K_DEFAULT) })}
        {written("min_score", { type: "number", min: 0, max: 1, step: "any", placeholder: "none" })}
        {written("valid_at", { type: "date" })}
      </div>
      <datalist id={agentList}>
        {agents.data?.map(({ agent_id, display_name }) => (
          <option key={agent_id} value={agent_id} label={display_name ?? agent_id} />
        ))}
      </datalist>
      <Chosen values={values} onChange={onChange} />
    </div>
  );
}

interface WrittenProps {
  readonly id: string;
  readonly value: string;
  readonly attributes: object;
  readonly onWritten: (value: string) => void;
}

/** Text that counts once its input is left or Enter is pressed; until then it stays, though all around it is drawn anew. */
function Written({ id, value, attributes, onWritten }: WrittenProps) {
  const [typed, setTyped] = useState(value);
  useLayoutEffect(() => setTyped(value), [value]);
  return (
    <input
      dir="auto"
      id={id}
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onChange={({ currentTarget }) => onWritten(currentTarget.value.trim())}
      {...attributes}
    />
  );
}

const EVERYONE = "everyone";
const FOR_EVERYONE = "what is for everyone";

/** Projects to search in: one is added at a time; the chips below take them off. */
function Projects({ values, onChange }: OptionBarProps) {
  const chosen = namesIn(values.fleet_ids);
  const others = projectOptions().filter(([id]) => !chosen.includes(id));
  const choose = (option: string) =>
    onChange(
      option === EVERYONE
        ? { shared_only: "1", fleet_ids: null }
        : { shared_only: null, fleet_ids: joined([...chosen, option.slice(1)]) },
    );
  return (
    <Field label={OPTIONS.fleet_ids}>
      {(id) => (
        <Select<string>
          id={id}
          value=""
          options={[
            ["", chosen.length > 0 ? "add another…" : values.shared_only ? "others…" : "any"],
            ...(values.shared_only ? [] : [[EVERYONE, FOR_EVERYONE] as const]),
            ...others.map(([id, words]) => [`=${id}`, words] as const),
          ]}
          onChange={choose}
        />
      )}
    </Field>
  );
}

/** The options that are set, each with a way to take it off. */
function Chosen({ values, onChange }: OptionBarProps) {
  const set = setIn(values);
  if (set.length === 0) return null;
  const projects = namesIn(values.fleet_ids);
  return (
    <div class="row">
      {projects.map((one) => (
        <Chip
          key={one}
          name={OPTIONS.fleet_ids}
          value={nameOfFleet(one)}
          onRemove={() => onChange({ fleet_ids: joined(projects.filter((other) => other !== one)) })}
        />
      ))}
      {set
        .filter((name) => name !== "fleet_ids")
        .map((name) => (
          <Chip
            key={name}
            name={OPTIONS[name]}
            value={name === "shared_only" ? FOR_EVERYONE : (values[name] ?? "")}
            onRemove={() => onChange({ [name]: null })}
          />
        ))}
      {set.length > 1 && (
        <Button kind="link" onClick={() => onChange(NO_OPTIONS)}>
          Drop all
        </Button>
      )}
    </div>
  );
}
