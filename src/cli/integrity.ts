import { IndexesRebuilt, IntegrityReport } from "../schema/integrity.ts";
import type { CallLocal } from "./call.ts";
import type { Printed } from "./keys.ts";

/** What a check found, and whether all is well. */
export interface Checked extends Printed {
  readonly ok: boolean;
}

/** Runs `cairn check`: one line a check. */
export async function runCheck(call: CallLocal): Promise<Checked> {
  const report = IntegrityReport.parse(await call("GET", "/api/v1/integrity"));
  const remark = report.ok ? "All indexes agree with their rows." : "Run `cairn rebuild` to make the indexes anew.";
  return { out: linesOf(report), remark, ok: report.ok };
}

/** Runs `cairn rebuild`, then shows what a check finds. */
export async function runRebuild(call: CallLocal): Promise<Checked> {
  const { memories, documents, embeddings_queued, report } = IndexesRebuilt.parse(
    await call("POST", "/api/v1/integrity/rebuild"),
  );
  const remark = `Indexes of ${memories} memories and ${documents} documents made anew; ${embeddings_queued} are embedded again.`;
  return { out: linesOf(report), remark, ok: report.ok };
}

const linesOf = ({ checks }: IntegrityReport): string =>
  checks.map(({ name, ok, detail }) => `${ok ? "ok   " : "FAULT"}  ${name}: ${detail}`).join("\n");
