import { isWebAddress } from "../../core/kernel/address.ts";
import { sha256 } from "../../core/kernel/hash.ts";
import { chooseReader } from "../../formats/all.ts";
import { readCaura } from "../../formats/foreign/caura/read.ts";
import type { FormatReader, Place } from "../../formats/reader.ts";
import { openSource } from "../../formats/source.ts";
import type { Cli, CommonOptions } from "../connect.ts";
import { plainText } from "../output.ts";
import { fingerprinted } from "./fingerprint.ts";
import { rateLine } from "./rate-line.ts";
import type { ImportReport, ImportSource } from "./run-import.ts";
import { runImport } from "./run-import.ts";

export interface ImportFlags extends CommonOptions {
  readonly from: string;
  readonly dryRun?: boolean;
}

/** What an import from a server needs of the environment. */
export interface ImportAccess {
  /** Sent to the server that is read. */
  readonly key: string | null;
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/** Refusals, and entries that something else stands in place of, that are told one by one; with `--json` all are. */
const TOLD_MAX = 50;

/** Imports what a file, a folder or an address holds, and tells what became of it. Throws AppError, Refused. */
export async function importFrom(cli: Cli, name: string, options: ImportFlags, access: ImportAccess): Promise<void> {
  const { out, project } = cli;
  const { format, source } = await sourceOf(name, options.from, access);
  const report = await runImport(
    cli,
    source,
    {
      dry_run: options.dryRun === true,
      agent_id: options.agent ?? null,
      // The folder that somebody stands in says nothing of where the notes belong.
      fleet_id: project?.source === "argument" ? project.name : null,
    },
    rateLine("import", () => performance.now()),
  );
  if (report.refusals.length > 0) process.exitCode = 1;
  if (out.isJson) out.json({ source: name, format, dry_run: options.dryRun === true, ...report });
  else tell(cli, report, { format, isDry: options.dryRun === true });
}

async function sourceOf(
  name: string,
  from: string,
  { key, fetch }: ImportAccess,
): Promise<{ format: string; source: ImportSource }> {
  if (isWebAddress(name)) {
    const read = () => readCaura({ url: name, key, fetch });
    return { format: "caura", source: { name: `caura ${sha256(name)}`, total: null, read } };
  }
  const files = await openSource(name);
  const reader: FormatReader = await chooseReader(from, files);
  const read = () => reader.read(files);
  return { format: reader.name, source: { ...(await fingerprinted(reader.name, read)), read } };
}

function tell(
  { out }: Cli,
  { counts, refusals, kept, resumed_from }: ImportReport,
  { format, isDry }: { format: string; isDry: boolean },
): void {
  const lines = [
    ...refusals.map(({ place, error }) => `${sayPlace(place)}: refused: ${plainText(error)}`),
    ...kept.map(({ place, outcome, id }) => `${sayPlace(place)}: ${outcome}${id === null ? "" : ` (${id})`}`),
  ];
  for (const line of lines.slice(0, TOLD_MAX)) out.note(line);
  if (lines.length > TOLD_MAX) out.note(`... and ${lines.length - TOLD_MAX} more; --json tells all.`);
  if (resumed_from > 0) out.note(`Went on after the first ${resumed_from}, which an earlier run had stored.`);
  const told = Object.entries(SAID).flatMap(([outcome, words]) => {
    const count = counts[outcome as keyof typeof SAID];
    return count > 0 ? [`${count} ${words}`] : [];
  });
  out.line(`${isDry ? "Dry run, nothing is stored. " : ""}Read as ${format}: ${told.join(", ") || "nothing in it"}.`);
}

/** What each outcome is called after its count. */
const SAID = {
  created: "stored",
  exists: "there already",
  duplicate: "said by another memory already",
  different: "left as they are here, as what is here differs",
  deleted: "left deleted",
  refused: "refused",
} as const;

const sayPlace = ({ file, line }: Place): string => `${plainText(file)}:${line}`;
