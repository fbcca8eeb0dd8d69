import type { Document } from "../../../api/schemas.gen.ts";

/** A skill as `cairn skills sync` writes it into SKILL.md; null where it lacks what such a file needs. */
export function skillFile({
  doc_id,
  data: { description, content },
}: Pick<Document, "doc_id" | "data">): string | null {
  if (typeof description !== "string" || typeof content !== "string") return null;
  const name = doc_id.replace(/^(?:forge|agent)\//, "");
  // A JSON text is a YAML text too, whatever is in it.
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${content.trimEnd()}\n`;
}
