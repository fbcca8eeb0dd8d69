import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { SECTIONS } from "../../src/cli/doctor/finding.ts";
import { memoriesApi } from "../support/api/memories.ts";
import { aFolder, runToEnd, spawnServer, untilSettled } from "./server.ts";

const Finding = z.object({
  section: z.enum(SECTIONS),
  check: z.string(),
  state: z.enum(["well", "fault", "unseen", "note"]),
  what: z.string(),
  why: z.string().optional(),
  repair: z.string().optional(),
  fix: z.string().optional(),
});
type Finding = z.infer<typeof Finding>;

const Report = z.object({
  ok: z.boolean(),
  findings: z.array(Finding),
  repairs: z.array(z.object({ fix: z.string(), done: z.boolean(), what: z.string() })),
});

export interface Examined extends z.infer<typeof Report> {
  readonly code: number;
  readonly stderr: string;
  /** What is not well: `section, check`. */
  readonly bad: readonly string[];
  /** The finding of a check that is not well. */
  finding(section: string, check: string): Finding | undefined;
}

/** A home in which no harness is. */
const HOME = aFolder();

/** Runs `cairn doctor` on a folder to its end. */
export async function doctor(folder: string, ...flags: readonly string[]): Promise<Examined> {
  return doctorWith({}, folder, ...flags);
}

/** The same with further variables of the environment. */
export async function doctorWith(
  env: Readonly<Record<string, string>>,
  folder: string,
  ...flags: readonly string[]
): Promise<Examined> {
  const args = ["doctor", "--json", `--data=${folder}`, ...flags];
  const { stdout, stderr, code } = await runToEnd(args, { HOME, CAIRN_PORT: "0", ...env });
  if (!stdout.startsWith("{")) throw new Error(`No report, but: ${stdout}${stderr}`);
  const report = Report.parse(JSON.parse(stdout));
  const bad = report.findings.filter(({ state }) => state === "fault" || state === "unseen");
  return {
    ...report,
    code,
    stderr,
    bad: [...new Set(bad.map(({ section, check }) => `${section}, ${check}`))],
    finding: (section, check) => bad.find((one) => one.section === section && one.check === check),
  };
}

let template: Promise<string> | null = null;

/** A data folder that is sound and in nobody's use, with memories of which two contradict each other. */
export async function aSoundFolder(into = join(aFolder(), "data")): Promise<string> {
  // Another file of tests in this process may have cleaned up.
  if (template === null || !existsSync(await template)) template = makeTemplate();
  cpSync(await template, into, { recursive: true });
  return into;
}

async function makeTemplate(): Promise<string> {
  const folder = join(aFolder(), "data");
  const server = await spawnServer({ folder, embedder: "onnx" });
  const api = memoriesApi(server.client);
  await api.write({ content: "The kettle stands in the kitchen upstairs." });
  await api.write({ content: "The canteen of Harbor closes at 14:00 on Fridays." });
  await api.write({ content: "The canteen of Harbor closes at 15:30 on Fridays." });
  await untilSettled(server);
  await api.search("when does the canteen close", { caller_agent_id: "ada" });
  await server.terminate();
  return folder;
}
