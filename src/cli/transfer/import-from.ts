import { existsSync } from "node:fs";
import { join } from "node:path";
import { isWebAddress } from "../../core/kernel/address.ts";
import { sha256 } from "../../core/kernel/hash.ts";
import { shellWord } from "../../core/kernel/text.ts";
import { chooseReader } from "../../formats/all.ts";
import { readCaura } from "../../formats/foreign/caura/read.ts";
import type { Place, ReadLine } from "../../formats/reader.ts";
import { openSource } from "../../formats/source.ts";
import type { UnreadFile } from "../../formats/unread.ts";
import { unreadOf } from "../../formats/unread.ts";
import { requireSomebody, saysYes } from "../commands/ask.ts";
import type { Cli, CommonOptions } from "../connect.ts";
import { plainText } from "../output.ts";
import { printError } from "../print.ts";
import { requireNoStranger } from "../server/prove-server.ts";
import { UsageError } from "../usage.ts";
import type { Kept } from "./batches.ts";
import { fingerprinted } from "./fingerprint.ts";
import type { Plan } from "./plan.ts";
import { createPlan, sayCounts } from "./plan.ts";
import { rateLine } from "./rate-line.ts";
import type { ImportReport, ImportSource } from "./run-import.ts";
import { runImport } from "./run-import.ts";

export interface ImportFlags extends CommonOptions {
  readonly from: string;
  readonly dryRun?: boolean;
  readonly trustSource?: boolean;
  readonly yes?: boolean;
}

/** What an import from a server needs of the environment. */
export interface ImportAccess {
  /** Sent to the server that is read. */
  readonly key: string | null;
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/** Refusals, and entries that something else stands in place of, that are told one by one; with `--json` all are. */
const TOLD_MAX = 50;

/** Imports what a file, a folder or an address holds, and tells what became of it. Throws AppError, Refused, UsageError. */
export async function importFrom(cli: Cli, name: string, options: ImportFlags, access: ImportAccess): Promise<void> {
  const { out, project } = cli;
  const isDry = options.dryRun === true;
  const trust_source = options.trustSource === true;
  const opened = await sourceOf(name, { from: options.from, isPlanned: trust_source || isDry }, access);
  const { format, source, plan, unread } = opened;
  if (trust_source && !(await isTakenOnTrust(cli, opened, options))) return;
  const report = await runImport(
    cli,
    // What was left out is to be read again once the source is trusted.
    trust_source ? { ...source, name: `${source.name} trusted`, read: () => plan.asPlanned(source.read()) } : source,
    {
      dry_run: isDry,
      trust_source,
      agent_id: options.agent ?? null,
      // The folder that somebody stands in says nothing of where the notes belong.
      fleet_id: project?.source === "argument" ? project.name : null,
    },
    rateLine("import", () => performance.now()),
  );
  if (report.refusals.length > 0) process.exitCode = 1;
  if (out.isJson)
    return out.json({ source: name, format, dry_run: isDry, trust_source, plan: plan.lines, ...report, unread });
  tell(cli, report, { format, isDry, plan });
  tellUnread(cli, name, unread);
}

/**
 * Shows what a trusted source would bring, and has somebody say yes to it. Throws UsageError where nobody can be asked, and for
 * what is no export.
 */
async function isTakenOnTrust(
  { out }: Cli,
  { format, isExport, plan }: Opened,
  options: ImportFlags,
): Promise<boolean> {
  if (!isExport)
    throw new UsageError(
      `Read as ${format}, which brings memories and documents only: leave --trust-source out, or name an export with --from jsonl or --from cairn.`,
    );
  const counted = sayCounts(plan.counts);
  if (counted.length === 0 || options.dryRun) return true;
  // With --json, too: nobody says yes to what was not shown.
  const heading = `Trusted, the source also brings ${counted.join(", ")}:`;
  printError(`${[heading, ...plan.lines.map((line) => `  ${line}`)].join("\n")}\n`);
  if (options.yes) return true;
  requireSomebody(out);
  if (await saysYes("Take them too?")) return true;
  process.exitCode = 1;
  out.note("Nothing was imported. Without --trust-source the rest is.");
  return false;
}

interface Opening {
  readonly from: string;
  /** Whether somebody is shown what it would bring; else its plan stays empty. */
  readonly isPlanned: boolean;
}

/** A source, what it is, and what it would bring if it were trusted. */
interface Opened {
  readonly format: string;
  readonly isExport: boolean;
  readonly source: ImportSource;
  readonly plan: Plan;
  /** What of a folder is of another format, and not read. */
  readonly unread: readonly UnreadFile[];
}

async function sourceOf(name: string, { from, isPlanned }: Opening, { key, fetch }: ImportAccess): Promise<Opened> {
  const plan = createPlan();
  if (isWebAddress(name)) {
    await requireNoStranger(name);
    const read = () =>
      readCaura({ url: name, key, fetch: (url, init) => requireNoStranger(url).then(() => fetch(url, init)) });
    if (isPlanned) await planServer(read(), plan.add);
    const source = { name: `caura ${sha256(name)}`, total: null, read };
    return { format: "caura", isExport: true, source, plan, unread: [] };
  }
  const files = await openSource(name);
  const reader = await chooseReader(from, files);
  const { name: format, isExport } = reader;
  const read = () => reader.read(files);
  const told = new Set<string>();
  const known = await fingerprinted(format, read, (line) => {
    told.add(line.place.file);
    if (isPlanned) plan.add(line);
  });
  const unread = await unreadOf(files, reader, told);
  return { format, isExport, source: { ...known, read }, plan, unread };
}

/** A server is asked for its rules, agents and skills first, and memories are many. */
async function planServer(lines: AsyncIterable<ReadLine>, add: (line: ReadLine) => void): Promise<void> {
  for await (const line of lines) {
    if ("record" in line && line.record.record === "memory") return;
    add(line);
  }
}

function tell(
  { out }: Cli,
  { counts, refusals, remarks, kept, skipped, resumed_from }: ImportReport,
  { format, isDry, plan }: { format: string; isDry: boolean; plan: Plan },
): void {
  const lines = [
    ...refusals.map(({ place, error }) => `${sayPlace(place)}: refused: ${plainText(error)}`),
    ...remarks.map(({ place, remark }) => `${sayPlace(place)}: ${plainText(remark)}`),
    ...kept.map((one) => `${sayPlace(one.place)}: ${sayKept(one)}`),
  ];
  for (const line of lines.slice(0, TOLD_MAX)) out.note(line);
  if (lines.length > TOLD_MAX) out.note(`... and ${lines.length - TOLD_MAX} more; --json tells all.`);
  if (resumed_from > 0) out.note(`Went on after the first ${resumed_from}, which an earlier run had stored.`);
  if (isDry) for (const line of plan.lines) out.note(line);
  const shown = isDry ? "" : "--dry-run shows what it says; ";
  for (const line of sayCounts(skipped)) out.note(`${line} left out: ${shown}${HOW_TO_BRING}`);
  const told = Object.entries(SAID).flatMap(([outcome, words]) => {
    const count = counts[outcome as keyof typeof SAID];
    const would = isDry && outcome === "created" ? "would be " : "";
    return count > 0 ? [`${count} ${would}${words}`] : [];
  });
  out.line(`${isDry ? "Dry run, nothing is stored. " : ""}Read as ${format}: ${told.join(", ") || "nothing in it"}.`);
}

/** Files of other formats that are named. */
const UNREAD_TOLD = 10;

function tellUnread({ out }: Cli, name: string, unread: readonly UnreadFile[]): void {
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
