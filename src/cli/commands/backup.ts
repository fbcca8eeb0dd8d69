import { dirname, resolve, sep } from "node:path";
import type { Command } from "commander";
import { AppError } from "../../core/kernel/errors.ts";
import { endsAsFolder } from "../../core/kernel/files/paths.ts";
import { shownOnOneLine } from "../../core/kernel/quoting/unseen.ts";
import { counted } from "../../core/kernel/text.ts";
import type { Backup, BackupRequest, BackupRun, Brought } from "../../core/schema/keeping/backup.ts";
import { BackupState } from "../../core/schema/keeping/backup.ts";
import type { CallLocal } from "../call.ts";
import type { Cli, CliFactory, CommonOptions } from "../connect.ts";
import type { Output } from "../output.ts";
import { common } from "../program.ts";
import type { ProgressLine } from "../progress.ts";
import { progressLine } from "../progress.ts";
import { UsageError } from "../usage.ts";

/** What a look through a backup found. */
export interface VerifiedBackup {
  readonly backup: Backup;
  readonly brought: Brought;
  readonly ok: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
}

/** What became of a backup that was put back. */
export interface RestoredBackup {
  readonly folder: string;
  /** Where what was there before is kept; null where there was nothing. */
  readonly kept: string | null;
  readonly brought: Brought;
  readonly backup: Pick<Backup, "manifest">;
}

/** What is done with a backup beside the server that wrote it. */
export interface BackupFiles {
  verify(options: CommonOptions, file: string): Promise<VerifiedBackup>;
  restore(options: CommonOptions, file: string): Promise<RestoredBackup>;
}

interface BackupOptions extends CommonOptions {
  readonly every?: string;
  readonly keep?: string;
}

const DESCRIPTION = `write everything, as it is at one moment, into one file, while the server serves

In it is the whole data file, packed: memories of all tenants, deleted ones that can still be restored, vectors, keys as hashes, \
settings and the audit log. Models and the config file are not. While it is made it takes room for a second data file. Earlier \
backups stay, but for those beyond --keep. \`cairn restore FILE\` puts it in place of what is there, which is kept aside. A \
database on a server has backups of its own.`;

/** `cairn backup` and `cairn backup verify`. */
export function addBackup(program: Command, cli: CliFactory, files: BackupFiles): void {
  const backup = common(program.command("backup"), "cairn backup /mnt/backups --every 1h --keep 24")
    .description(DESCRIPTION)
    .argument(
      "[destination]",
      "a folder, which is made where / ends it, or a file that does not exist; else `backups` in the data folder",
    )
    .option("--every <time>", "again each time this has passed, until it is stopped: 30m, 1h, 1d; into a folder")
    .option("--keep <count>", "of the backups in the folder only so many, the newest")
    .action((destination: string | undefined, options: BackupOptions) =>
      cli.use(options, (one) => write(one, destination, options), { noModel: true }),
    );
  common(backup.command("verify"), "cairn backup verify cairn-2026-11-24T12-00-00.db.zst")
    .description("unpack a backup elsewhere, open it, check rows and indexes, search in it")
    .argument("<file>", "the backup")
    .action(async (file: string, options: CommonOptions) => {
      const out = cli.output(options);
      const found = await files.verify(options, resolve(file));
      if (out.isJson) out.json(found);
      else for (const { name, ok, detail } of found.checks) out.line(`${ok ? "ok   " : "FAULT"}  ${name}: ${detail}`);
      sayBrought(out, found.brought);
      out.note(found.ok ? describeBackup(found.backup) : "This backup has faults. Take another one.");
      if (!found.ok) process.exitCode = 1;
    });
}

async function write({ call, out }: Cli, destination: string | undefined, options: BackupOptions): Promise<void> {
  const every = options.every === undefined ? null : durationOf(options.every);
  const keep = options.keep === undefined ? undefined : countOf(options.keep);
  const isFolder = every !== null || keep !== undefined || endsAsFolder(destination ?? "");
  const place = destination === undefined ? undefined : `${resolve(destination)}${isFolder ? sep : ""}`;
  for (;;) {
    const startedAt = performance.now();
    const { backup, made, left } = await runBackup(call, { destination: place, keep }, progressLine("backup"));
    if (out.isJson) out.json(backup);
    else out.line(describeBackup(backup));
    if (made === "folder") out.note(`Nothing was there: the folder ${dirname(backup.file)} was made.`);
    if (made === "file") out.note("Nothing was there: it was made a file. With / at its end it is a folder.");
    if (left.length > 0)
      out.note(
        `Left, since others wrote it, it is dated later, or it cannot be removed: ${left.map(shownOnOneLine).join(", ")}`,
      );
    if (every === null) return;
    await Bun.sleep(Math.max(0, every - (performance.now() - startedAt)));
  }
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** The longest that a timer waits. */
const EVERY_MAX_MS = 24 * 86_400_000;

function durationOf(text: string): number {
  const [, number = "", unit = ""] = /^(\d+)\s*([smhd])$/.exec(text) ?? [];
  const ms = Number(number) * (UNITS_MS[unit] ?? 0);
  if (ms > 0 && ms <= EVERY_MAX_MS) return ms;
  throw new UsageError(`--every takes a time such as 30m, 1h or 1d, up to 24d, not '${text}'.`);
}

function countOf(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count > 0 && Number.isSafeInteger(count)) return count;
  throw new UsageError(`--keep takes a whole number from 1 on, not '${text}'.`);
}

interface Written extends Pick<BackupRun, "made" | "left"> {
  readonly backup: Backup;
}

/** How often it is asked how far a backup is. */
const POLL_MS = 100;
const PATH = "/api/v1/admin/backups";

/** Has a backup written and waits for it, however long that takes. Its destination is a path on the machine of the server. Throws Refused, and AppError where it could not be written. */
async function runBackup(call: CallLocal, request: BackupRequest, progress: ProgressLine): Promise<Written> {
  let { run } = BackupState.parse(await call("POST", PATH, request));
  while (run?.state === "running") {
    progress.show(run);
    await new Promise((resume) => setTimeout(resume, POLL_MS));
    ({ run } = BackupState.parse(await call("GET", PATH)));
  }
  progress.end();
  if (run?.backup) return { backup: run.backup, made: run.made, left: run.left };
  throw new AppError("UNAVAILABLE", run?.error ?? "The server knows of no such backup any more.");
}

/** One line that tells what a backup holds. */
function describeBackup({ file, bytes, manifest: { counts, created_at } }: Backup): string {
  const { memories = 0, documents = 0 } = counts;
  return `${file}: ${counted(memories, "memory", "memories")} and ${counted(documents, "document")} of ${created_at}, ${megabytes(bytes)} MB.`;
}

/** Says what comes with a backup that is obeyed once it is restored; nothing where there is none. */
export function sayBrought(out: Pick<Output, "note">, { keys, rules, approved_skills }: Brought): void {
  if (keys + rules + approved_skills === 0) return;
  out.note(
    `With it come ${counted(keys, "key")}, ${counted(rules, "rule")} and ${counted(approved_skills, "approved skill")}, as whoever made it chose: \`cairn keys list\`, \`cairn keystones\` and \`cairn skills list\` show them.`,
  );
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
