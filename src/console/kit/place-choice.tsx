import { fleetToWrite } from "../api/projects.ts";
import { Field, Select } from "./controls.tsx";
import { projectOptions } from "./project-select.tsx";

/** Where something is to belong, as it is chosen: to everyone, to a project, or to one that is named. */
export interface PlaceDraft {
  readonly chosen: "" | "everyone" | "named" | `=${string}`;
  /** The name of the one that is named. */
  readonly typed: string;
}
export const NO_PLACE: PlaceDraft = { chosen: "", typed: "" };

/** The place that is chosen; null where none is. Throws CallProblem for a name that several projects have. */
export async function placeIn({ chosen, typed }: PlaceDraft): Promise<{ fleet_id: string } | "everyone" | null> {
  if (chosen === "everyone") return chosen;
  if (chosen === "named") return typed.trim() === "" ? null : { fleet_id: await fleetToWrite(typed.trim()) };
  return chosen === "" ? null : { fleet_id: chosen.slice(1) };
}

interface PlaceChoiceProps {
  readonly label: string;
  readonly problem?: string | null;
  /** What it means to choose nothing. */
  readonly none: string;
  readonly value: PlaceDraft;
  readonly onChange: (value: PlaceDraft) => void;
}

/** A choice of where something belongs: everyone, a project that there is, or a new one. */
export function PlaceChoice({ label, problem = null, none, value, onChange }: PlaceChoiceProps) {
  const options: (readonly [PlaceDraft["chosen"], string])[] = [
    ["", none],
    ["everyone", "for everyone"],
    ...projectOptions().map(([id, name]) => [`=${id}`, name] as const),
    ["named", "another project…"],
  ];
  return (
    <>
      <Field label={label} problem={problem}>
        {(id) => (
          <Select
            id={id}
            value={value.chosen}
            options={options}
            onChange={(chosen) => onChange({ ...value, chosen })}
          />
        )}
      </Field>
      {value.chosen === "named" && (
        <Field label="Name of the project">
          {(id) => (
            <input
              dir="auto"
              id={id}
              type="text"
              autocomplete="off"
              value={value.typed}
              onInput={({ currentTarget }) => onChange({ ...value, typed: currentTarget.value })}
            />
          )}
        </Field>
      )}
    </>
  );
}
