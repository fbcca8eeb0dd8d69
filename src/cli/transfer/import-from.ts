import { isWebAddress } from "../../core/kernel/address.ts";
import { sha256 } from "../../core/kernel/hash.ts";
import { chooseReader } from "../../formats/all.ts";
import { readCaura } from "../../formats/foreign/caura/read.ts";
import type { ReadLine } from "../../formats/reader.ts";
import { openSource } from "../../formats/source.ts";
import type { UnreadFile } from "../../formats/unread.ts";
import { unreadOf } from "../../formats/unread.ts";
import { requireSomebody, saysYes } from "../commands/ask.ts";
import type { Cli, CommonOptions } from "../connect.ts";
import { printError } from "../print.ts";
import { PERSON } from "../scope.ts";
import { requireNoStranger } from "../server/prove-server.ts";
import { UsageError } from "../usage.ts";
import { destinationHere, mappedProjects, resolved } from "./destinations.ts";
import { fingerprinted } from "./fingerprint.ts";
import type { Placing } from "./placing.ts";
import { createPlacing } from "./placing.ts";
import type { Plan } from "./plan.ts";
import { createPlan, sayCounts } from "./plan.ts";
import { rateLine } from "./rate-line.ts";
import type { ImportSource } from "./run-import.ts";
import { runImport } from "./run-import.ts";
import { tellImport, tellUnread } from "./tell-import.ts";

export interface ImportFlags extends CommonOptions {
  readonly from: string;
  readonly dryRun?: boolean;
  readonly trustSource?: boolean;
  readonly yes?: boolean;
  readonly map: readonly string[];
}

/** What an import from a server needs of the environment. */
export interface ImportAccess {
  /** Sent to the server that is read. */
  readonly key: string | null;
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/** Imports what a file, a folder or an address holds, and tells what became of it. Throws AppError, Refused, UsageError. */
export async function importFrom(cli: Cli, name: string, options: ImportFlags, access: ImportAccess): Promise<void> {
  const { out } = cli;
  const isDry = options.dryRun === true;
  const trust_source = options.trustSource === true;
  const here = destinationHere(cli);
  const looking = { call: cli.call, tenant_id: cli.tenant_id, isDry };
  const mapped = await mappedProjects(looking, options.map, here);
  const placingOf = (isForeign: boolean) =>
    createPlacing({ here, mapped, isForeign, resolved: (written) => resolved(looking, written) });
  const opened = await sourceOf(name, { from: options.from, isPlanned: trust_source || isDry, placingOf }, access);
  const { format, plan, placing, unread } = opened;
  // Read for another project, it is another source, which is read from its beginning.
  const where = sha256(JSON.stringify([here.fleet_id, [...mapped]]));
  const source = { ...opened.source, name: `${opened.source.name} ${where}` };
  if (trust_source && !(await isTakenOnTrust(cli, opened, options))) return;
  const report = await runImport(
    cli,
    // What was left out is to be read again once the source is trusted.
    trust_source ? { ...source, name: `${source.name} trusted`, read: () => plan.asPlanned(source.read()) } : source,
    {
      dry_run: isDry,
      trust_source,
      agent_id: cli.agent_id ?? PERSON,
      fleet_id: here.fleet_id,
    },
    rateLine("import", () => performance.now()),
  );
  if (report.refusals.length > 0) process.exitCode = 1;
  const survey = placing.survey();
  if (out.isJson)
    return out.json({
      source: name,
      format,
      dry_run: isDry,
      trust_source,
      plan: plan.lines,
      ...report,
      ...survey,
      unread,
    });
  tellImport(cli, report, { format, isDry, plan, survey });
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
  placingOf(isForeign: boolean): Placing;
}

/** A source, what it is, and what it would bring if it were trusted. */
interface Opened {
  readonly format: string;
  readonly isExport: boolean;
  readonly source: ImportSource;
  readonly plan: Plan;
  readonly placing: Placing;
  /** What of a folder is of another format, and not read. */
  readonly unread: readonly UnreadFile[];
}

async function sourceOf(
  name: string,
  { from, isPlanned, placingOf }: Opening,
  { key, fetch }: ImportAccess,
): Promise<Opened> {
  const plan = createPlan();
  if (isWebAddress(name)) {
    await requireNoStranger(name);
    const placing = placingOf(false);
    const read = () =>
      placing.placed(
        readCaura({ url: name, key, fetch: (url, init) => requireNoStranger(url).then(() => fetch(url, init)) }),
      );
    if (isPlanned) await planServer(read(), plan.add);
    const source = { name: `caura ${sha256(name)}`, total: null, read };
    return { format: "caura", isExport: true, source, plan, placing, unread: [] };
  }
  const files = await openSource(name);
  const reader = await chooseReader(from, files);
  const { name: format, isExport } = reader;
  const placing = placingOf(!isExport);
  const told = new Set<string>();
  const known = await fingerprinted(
    format,
    () => placing.learn(reader.read(files)),
    (line) => {
      told.add(line.place.file);
      if (isPlanned && isExport) plan.add(placing.place(line));
    },
  );
  await placing.settle();
  const unread = await unreadOf(files, reader, told);
  const read = () => placing.placed(reader.read(files));
  return { format, isExport, source: { ...known, read }, plan, placing, unread };
}

/** A server is asked for its rules, agents and skills first, and memories are many. */
async function planServer(lines: AsyncIterable<ReadLine>, add: (line: ReadLine) => void): Promise<void> {
  for await (const line of lines) {
    if ("record" in line && line.record.record === "memory") return;
    add(line);
  }
}
