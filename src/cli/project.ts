import { ProjectError } from "../projects/folder/error.ts";
import type { Project } from "../projects/folder/project-of.ts";
import { namedProject } from "../projects/folder/project-of.ts";
import { UsageError } from "./usage.ts";

/** The project that a flag names. Throws UsageError for a name that no project may have. */
export function projectOfFlag(written: string, flag: string): Project {
  try {
    return namedProject(written, "argument", flag);
  } catch (error) {
    throw error instanceof ProjectError ? new UsageError(error.message) : error;
  }
}
