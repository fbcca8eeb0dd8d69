import { z } from "zod";
import { ToolError } from "./tool-error.ts";

/** A version as a card shows it. */
export const Version = z.string().regex(/^[0-9a-f]{1,64}$/);

/** The version that an agent saw. */
export const SeenVersion = Version.optional().describe("If it changed since you saw this one, nothing is done.");

/** The version of each id. Throws ToolError where it is not one for each. */
export function seenVersions(
  ids: readonly string[],
  versions: readonly string[] | undefined,
): ReadonlyMap<string, string> {
  if (versions && versions.length !== ids.length)
    throw new ToolError("INVALID_ARGUMENTS", "versions: one for each of ids, in their order");
  return new Map(ids.flatMap((id, at) => (versions?.[at] === undefined ? [] : [[id, versions[at]]])));
}

const Stale = z.object({
  current: z.object({ version: z.string(), status: z.string().optional(), content: z.string().optional() }).nullable(),
});

/** A refusal of what changed since tells an agent what it says now, and no more. Throws what `work` throws. */
export async function asSeen<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "PRECONDITION_FAILED") throw error;
    throw new ToolError(error.code, error.message, Stale.safeParse(error.details).data ?? {});
  }
}
