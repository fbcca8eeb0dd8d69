import { createTwoFilesPatch } from "diff";
import { spelledOut } from "../../core/kernel/quoting/unseen.ts";
import { preview } from "../../core/kernel/text.ts";
import type { Change } from "./files.ts";

/** Lines around a change, and characters of a line: a file in one line must not fill the screen. */
const CONTEXT_LINES = 2;
const LINE_MAX = 200;
const NO_FILE = "/dev/null";

/** What a change does to its file, as a unified diff in which nothing is hidden from whoever is asked to agree. */
export function unifiedDiff({ file, before, after }: Change): string {
  const [old, fresh] = [before === null ? NO_FILE : file, after === null ? NO_FILE : file];
  const patch = createTwoFilesPatch(old, fresh, before ?? "", after ?? "", "", "", { context: CONTEXT_LINES });
  const lines = patch.trimEnd().split("\n");
  // What stands above the names of the files is for programs.
  return lines
    .slice(lines.findIndex((line) => line.startsWith("--- ")))
    .map((line) => spelledOut(clipped(line.trimEnd())))
    .join("\n");
}

const clipped = (line: string): string => (line.length > LINE_MAX ? `${preview(line, LINE_MAX)}…` : line);
