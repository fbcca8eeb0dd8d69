import { useCall } from "../api/query.ts";
import { Select } from "./controls.tsx";

interface ProjectSelectProps {
  /** Empty for all of them. */
  readonly value: string;
  readonly onChange: (fleet_id: string) => void;
}

/** A choice among the projects that there are. */
export function ProjectSelect({ value, onChange }: ProjectSelectProps) {
  const { data } = useCall("listFleets", {}, ["memories", "access"]);
  const names = new Set([...(value === "" ? [] : [value]), ...(data ?? []).map(({ fleet_id }) => fleet_id)]);
  return (
    <Select
      label="Project"
      value={value}
      options={[["", "All projects"], ...[...names].sort().map((name) => [name, name] as const)]}
      onChange={onChange}
    />
  );
}
