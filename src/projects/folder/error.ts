/** A project that cannot be told; the message says which file to mend. */
export class ProjectError extends Error {
  override readonly name = "ProjectError";
}
