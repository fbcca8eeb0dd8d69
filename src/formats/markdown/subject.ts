import { preview } from "../../core/kernel/text.ts";
import { dateOfHeading } from "./moments.ts";

/** Titles that say what kind of file it is, and not what it is about. */
const GENERIC = new Set(
  `readme index notes note memory memories todo untitled claude agents agent gemini cursorrules windsurfrules clinerules
  goosehints journal daily inbox scratch log misc changelog copilot-instructions claude.local rules instructions`.split(
    /\s+/,
  ),
);
/** What a text is about, in characters, at most. */
const SUBJECT_MAX = 200;
const STEP_MAX = 80;

/** Whether a title tells what something is about. */
export const isTelling = (title: string): boolean =>
  /[\p{L}\p{N}]/u.test(title) &&
  !GENERIC.has(
    title
      .toLowerCase()
      .replace(/\.\w{1,9}$/, "")
      .trim(),
  );

const DATED = /^(?:19|20)\d\d[-_. ]?\d\d[-_. ]?\d\d[-_. ]*/;
/** What Notion puts behind the name of a page. */
const PAGE_ID = /\s[0-9a-f]{32}$/;

/** What a file's name says it is about; null for one that only says what it is. */
export function titleOfPath(path: string): string | null {
  const name = (path.split("/").at(-1) ?? "").replace(/^\.|\.\w{1,9}$/g, "");
  const title = name.replace(PAGE_ID, "").replace(DATED, "").replace(/_/g, " ").trim();
  return isTelling(title) ? title : null;
}

/** A heading without the targets of its links. */
const plain = (step: string): string =>
  step
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/\s+/g, " ")
    .replace(/(?<![:：\s])[:：\s]+$/, "");

/**
 * What a piece of a text is about, to be read before it ("Shop API > Code style"): the headings above it but dates and names
 * of kinds of files, and none that the piece itself names.
 */
export function subjectOf(steps: readonly string[], text: string, written: string): string {
  const said = text.toLowerCase();
  const telling = steps
    .map((step) => preview(plain(step), STEP_MAX))
    .filter((step) => isTelling(step) && !said.includes(step.toLowerCase()) && !dateOfHeading(step, written)?.alone);
  const once = telling.filter((step, i) => telling.indexOf(step) === i);
  // Of a deep nesting the nearest headings, and what the whole is about.
  while (once.length > 2 && once.join(" > ").length > SUBJECT_MAX) once.splice(1, 1);
  return once.join(" > ");
}
