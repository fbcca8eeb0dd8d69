import { projectChoices } from "../api/projects.ts";
import { Suggesting } from "./suggesting.tsx";

interface ProjectFieldProps {
  readonly label?: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (typed: string) => void;
}

/** A project by its name, or by one that nobody has yet; `fleetToWrite` says which is meant. */
export const ProjectField = ({ label = "Project", ...field }: ProjectFieldProps) => (
  <Suggesting label={label} suggestions={projectChoices.value.map(({ name }) => name)} {...field} />
);
