import { resolve } from "node:path";
import type { Command } from "commander";
import { Option } from "commander";
import { z } from "zod";
import { AppError } from "../../core/kernel/errors.ts";
import { escapedJson } from "../../core/kernel/quoting/unseen.ts";
import { counted } from "../../core/kernel/text.ts";
import { ExportEnd, ExportHeader, TransferRecord } from "../../core/schema/keeping/transfer.ts";
import type { MarkdownLayout } from "../../formats/markdown/write.ts";
import type { Cli, CliFactory, CommonOptions } from "../connect.ts";
import { momentOf } from "../moments.ts";
import { printLines } from "../print.ts";
import { narrowed } from "../program.ts";
import { sayProject } from "../scope.ts";
import { writeFiles, writeLines } from "../transfer/export-file.ts";
import { UsageError } from "../usage.ts";

interface ExportOptions extends CommonOptions {
  readonly format: "jsonl" | "markdown";
  readonly layout: MarkdownLayout;
  readonly since?: string;
  readonly until?: string;
  readonly allProjects?: boolean;
}

const DESCRIPTION = `write what is stored, as it is at one moment, into one file of JSON Lines or a folder of Markdown

In it are memories with their ids, dates and findings, entities, documents, skills, keystones, agents and settings of the tenant. \
Keys, deleted memories, the audit log and vectors are not. The server goes on serving, nothing is changed, and nothing is \
written over. \`cairn import\` reads it again, here or elsewhere; \`cairn backup\` keeps everything.`;

/** `cairn export`. */
export function addExport(program: Command, cli: CliFactory): void {
  const what = {
    project: "the project whose it is; else that of this folder, outside any what is for everyone",
    agent: "only memories that this agent wrote",
  };
  narrowed(program.command("export"), "cairn export notes.jsonl --project harbour", what)
    .description(DESCRIPTION)
    .argument("<destination>", "a file, or a folder for Markdown, that does not exist; - prints")
    .addOption(new Option("--format <name>", "JSON Lines, or Markdown").choices(["jsonl", "markdown"]).default("jsonl"))
    .addOption(
      new Option("--layout <what>", "a Markdown file for each of these")
        .choices(["memory", "project"])
        .default("memory"),
    )
    .option("--all-projects", "what belongs to any project, and what is for everyone")
    .option("--since <when>", "only memories from then on: 2026-03-01, or '3 days ago'")
    .option("--until <when>", "only memories up to then; a day is in it as a whole")
    .action((destination: string, options: ExportOptions) =>
      cli.use(options, (one) => exportTo(one, destination, options), { noModel: true }),
    );
}

async function exportTo(cli: Cli, destination: string, options: ExportOptions): Promise<void> {
  const { out } = cli;
  const told: Counts = {};
  const lines = counting(cli.stream(`/api/v1/export?${queryOf(cli, options)}`), told);
  if (destination === "-") {
    if (options.format === "markdown") throw new UsageError("Markdown needs a folder: name one instead of -.");
    await printLines(escapedLines(lines));
    return tellLeftOut(cli, options);
  }
  const path = resolve(destination);
  const files = options.format === "markdown" ? await writeFolder(path, lines, options) : null;
  if (files === null) await writeLines(path, lines);
  if (out.isJson) out.json({ destination: path, files, counts: told });
  else out.line(`${path}: ${sayCounts(told)}.`);
  tellLeftOut(cli, options);
}

/** Says that it is not all, so that nobody takes it for that. */
function tellLeftOut({ out, project }: Cli, { allProjects = false }: ExportOptions): void {
  if (allProjects) return;
  const whose = project ? `What belongs to ${sayProject(project)}` : "No project: what is for everyone";
  out.note(`${whose}, and nothing else; --all-projects exports all.`);
}

/** What a terminal would obey is written as escapes, which say the same. */
async function* escapedLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield escapedJson(line);
}

function queryOf({ tenant_id, project }: Cli, options: ExportOptions): URLSearchParams {
  const { agent, since, until, allProjects = false } = options;
  const wanted = {
    tenant_id,
    fleet_id: allProjects ? undefined : project?.id,
    shared_only: allProjects || project ? undefined : "true",
    agent_id: agent,
    created_after: momentOf("--since", since, "first"),
    created_before: momentOf("--until", until, "behind"),
  };
  return new URLSearchParams(
    Object.entries(wanted).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
  );
}

type Counts = Record<string, number>;

/** The lines, and at their end how many records of each kind there were. Throws AppError where the end is missing. */
async function* counting(lines: AsyncIterable<string>, told: Counts): AsyncGenerator<string> {
  let last = "";
  for await (const line of lines) {
    yield line;
    last = line;
  }
  const end = ExportEnd.safeParse(last === "" ? null : JSON.parse(last));
  if (!end.success) throw new AppError("UNAVAILABLE", "The server broke off in the middle. Export again.");
  Object.assign(told, end.data.counts);
}

/** What says that it is an export, then its records. */
async function* recordsOf(lines: AsyncIterable<string>): AsyncGenerator<TransferRecord | ExportHeader> {
  for await (const line of lines) {
    const read = z.union([ExportHeader, TransferRecord]).safeParse(JSON.parse(line));
    // The last line is neither.
    if (read.success) yield read.data;
  }
}

/** What writes Markdown is loaded here alone: every other command would pay for it. */
async function writeFolder(path: string, lines: AsyncIterable<string>, { layout }: ExportOptions): Promise<number> {
  const { writeMarkdown } = await import("../../formats/markdown/write.ts");
  return writeFiles(path, writeMarkdown(recordsOf(lines), { layout }));
}

const PLURALS: Readonly<Record<string, string>> = { memory: "memories", entity: "entities", settings: "settings" };

const sayCounts = (counts: Counts): string =>
  Object.entries(counts)
    .map(([kind, count]) => counted(count, kind, PLURALS[kind]))
    .join(", ") || "nothing";
