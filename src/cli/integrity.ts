import { counted } from "../core/kernel/text.ts";
import type { IntegrityReport, IntegrityRun, Salvaged } from "../core/schema/integrity.ts";
import { IntegrityRunState } from "../core/schema/integrity.ts";
import type { CallLocal } from "./call.ts";
import { Refused } from "./call.ts";
import type { ProgressLine } from "./progress.ts";

/** What a check found, and whether all is well. */
export interface Checked {
  /** A line a check. */
  readonly out: string;
  /** What it comes to, for people. */
  readonly remark: string;
  readonly ok: boolean;
  readonly report: IntegrityReport;
}

/** How often it is asked how far a run is. */
const POLL_MS = 100;

/** Runs `cairn check`: one line a check. */
export async function runCheck(call: CallLocal, progress: ProgressLine): Promise<Checked> {
  const { report } = await runToEnd(call, "check", progress);
  if (!report) throw new Refused("The check ended without a result.");
  return { out: linesOf(report), remark: remarkOn(report), ok: report.ok, report };
}

/** Runs `cairn rebuild`, then shows what a check finds. */
export async function runRebuild(call: CallLocal, progress: ProgressLine): Promise<Checked> {
  const { rebuilt } = await runToEnd(call, "rebuild", progress);
  if (!rebuilt) throw new Refused("The rebuild ended without a result.");
  const { memories, documents, embeddings_queued, report } = rebuilt;
  const remark = `Indexes of ${counted(memories, "memory", "memories")} and ${counted(documents, "document")} made anew; ${embeddings_queued} are embedded again.`;
  return { out: linesOf(report), remark, ok: report.ok, report };
}

/** Begins a run, or joins it, and waits for its end however long that takes. */
export async function runToEnd(
  call: CallLocal,
  kind: IntegrityRun["kind"],
  progress: ProgressLine,
): Promise<IntegrityRun> {
  let { run } = IntegrityRunState.parse(await call("POST", "/api/v1/integrity/run", { kind }));
  while (run?.state === "running") {
    progress.show(run);
    await new Promise((resume) => setTimeout(resume, POLL_MS));
    ({ run } = IntegrityRunState.parse(await call("GET", "/api/v1/integrity/run")));
  }
  progress.end();
  if (run?.state === "finished") return run;
  throw new Refused(run?.error ?? "The server knows of no such run any more.");
}

function remarkOn({ ok, damaged }: IntegrityReport): string {
  if (ok) return "All indexes agree with their rows.";
  return damaged.length === 0
    ? "Run `cairn rebuild` to make the indexes anew."
    : "The data file is damaged. Stop the server, if one runs, then run `cairn rebuild`: it saves what can be read.";
}

const linesOf = ({ checks }: IntegrityReport): string =>
  checks.map(({ name, ok, detail }) => `${ok ? "ok   " : "FAULT"}  ${name}: ${detail}`).join("\n");

/** What a person reads of a damaged file: where it lies, what was saved from it, and what could not be. */
export function describeSalvage({ kept, damaged, lost }: Salvaged): string {
  const lines = lost.map(({ table, rows, ids }) => {
    const named = ids.length === 0 ? "" : `: ${ids.join(", ")}`;
    return `LOST   ${rows ?? "some"} of ${table}${named}`;
  });
  return [
    `Damaged: ${damaged.join(", ")}.`,
    `What could be read is in a new data file; the damaged one is kept as ${kept}.`,
    ...(lines.length === 0 ? ["Nothing was lost."] : lines),
  ].join("\n");
}
