import { projectChoices } from "../api/projects.ts";
import { Select } from "./controls.tsx";

/** The projects to choose from as options, the chosen one always among them. */
export function projectOptions(chosen = ""): (readonly [fleet_id: string, name: string])[] {
  const all = projectChoices.value.map(({ id, name }) => [id, name] as const);
  return chosen === "" || all.some(([id]) => id === chosen) ? all : [...all, [chosen, chosen]];
}

interface ProjectSelectProps {
  /** Empty for all of them. */
  readonly value: string;
  readonly onChange: (fleet_id: string) => void;
}

/** A choice among the projects that there are. */
export const ProjectSelect = ({ value, onChange }: ProjectSelectProps) => (
  <Select
    label="Project"
    value={value}
    options={[["", "All projects"], ...projectOptions(value)]}
    onChange={onChange}
  />
);
