import { z } from "zod";
import { ToolError } from "./tool-error.ts";

/** Collections as the list of them tells. */
export const Collections = z.object({
  collections: z.array(z.object({ name: z.string(), count: z.int() })),
});
type Collections = z.infer<typeof Collections>;

/** Those of Cairn's own hold what has tools of its own, and what no person has agreed to yet: no model reads them as documents. */
const isOwn = (name: string): boolean => name.startsWith("_");

export const shownAmong = ({ collections }: Collections): Collections["collections"] =>
  collections.filter(({ name }) => !isOwn(name));

/** Throws INVALID_ARGUMENTS for a collection of Cairn's own. */
export function requireShown(collection: string | undefined): void {
  if (collection === undefined || !isOwn(collection)) return;
  throw new ToolError("INVALID_ARGUMENTS", "This collection belongs to Cairn; rules have the tool keystones.", {
    argument: "collection",
  });
}
