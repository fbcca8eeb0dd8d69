import { existsSync } from "node:fs";
import { join } from "node:path";
import { shellWord } from "../../core/kernel/text.ts";
import type { Place } from "../../formats/reader.ts";
import type { UnreadFile } from "../../formats/unread.ts";
import type { Cli } from "../connect.ts";
import { plainText } from "../output.ts";
import type { Kept } from "./batches.ts";
import type { Survey } from "./placing.ts";
import type { Plan } from "./plan.ts";
import { sayCounts } from "./plan.ts";
import type { ImportReport } from "./run-import.ts";
import { isElsewhere, tellElsewhere, tellPlaces } from "./tell-places.ts";

/** Refusals, and entries that something else stands in place of, that are told one by one; with `--json` all are. */
const TOLD_MAX = 50;

interface Telling {
  readonly format: string;
  readonly isDry: boolean;
  readonly plan: Plan;
  readonly survey: Survey;
}

/** Tells what became of a source, where it went, and how that is changed. */
export function tellImport(
  { out }: Pick<Cli, "out">,
  report: ImportReport,
  { format, isDry, plan, survey }: Telling,
): void {
  const { counts, refusals, remarks, kept, skipped, resumed_from } = report;
  const lines = [
    ...refusals.map(({ place, error }) => `${sayPlace(place)}: refused: ${plainText(error)}`),
    ...remarks.map(({ place, remark }) => `${sayPlace(place)}: ${plainText(remark)}`),
    ...kept.filter((one) => !isElsewhere(one)).map((one) => `${sayPlace(one.place)}: ${sayKept(one)}`),
  ];
  for (const line of lines.slice(0, TOLD_MAX)) out.note(line);
  if (lines.length > TOLD_MAX) out.note(`... and ${lines.length - TOLD_MAX} more; --json tells all.`);
  if (resumed_from > 0) out.note(`Went on after the first ${resumed_from}, which an earlier run had stored.`);
  tellPlaces(out, survey, { isDry, stored: counts.created });
  tellElsewhere(out, report);
  if (isDry) for (const line of plan.lines) out.note(line);
  const shown = isDry ? "" : "--dry-run shows what it says; ";
  for (const line of sayCounts(skipped)) out.note(`${line} left out: ${shown}${HOW_TO_BRING}`);
  const elsewhere = kept.filter(isElsewhere).length;
  const told = Object.entries(SAID).flatMap(([outcome, words]) => {
    const count = counts[outcome as keyof typeof SAID] - (outcome === "different" ? elsewhere : 0);
    const would = isDry && outcome === "created" ? "would be " : "";
    return count > 0 ? [`${count} ${would}${words}`] : [];
  });
  if (elsewhere > 0) told.push(`${elsewhere} left where an import before had put them`);
  out.line(`${isDry ? "Dry run, nothing is stored. " : ""}Read as ${format}: ${told.join(", ") || "nothing in it"}.`);
}

/** Files of other formats that are named. */
const UNREAD_TOLD = 10;

/** Tells which files of a folder are of other formats, and how each is read. */
export function tellUnread({ out }: Pick<Cli, "out">, name: string, unread: readonly UnreadFile[]): void {
  for (const { path, format } of unread.slice(0, UNREAD_TOLD)) {
    const whole = join(name, path);
    // What lies in an archive has no path of its own.
    const way = existsSync(whole)
      ? `: cairn import ${shellWord(whole)}`
      : ". Unpack the archive, and import it by itself.";
    out.note(plainText(`${path} was not read, as it is of ${format}${way}`));
  }
  if (unread.length > UNREAD_TOLD) out.note(`... nor were ${unread.length - UNREAD_TOLD} more; --json tells all.`);
}

const HOW_TO_BRING = "--trust-source brings it, if you know who wrote it.";

/** What each outcome is called after its count. */
const SAID = {
  created: "stored",
  exists: "there already",
  duplicate: "said by another memory already",
  different: "left as they are here, as what is here differs",
  deleted: "left deleted",
  skipped: "left out",
  refused: "refused",
} as const;

/** What stands in place of something, and how that is changed. */
function sayKept({ outcome, id, error }: Kept): string {
  if (id === null) return outcome;
  const how = error === null ? `\`cairn edit ${id}\` changes it` : plainText(error);
  if (outcome === "different") return `differs from ${id}, which stays as it is: ${how}`;
  if (outcome === "deleted") return `was deleted here: \`cairn restore ${id}\` brings it back`;
  return `says what ${id} says already`;
}

const sayPlace = ({ file, line }: Place): string => `${plainText(file)}:${line}`;
