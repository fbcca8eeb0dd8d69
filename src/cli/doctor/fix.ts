import { rmSync } from "node:fs";
import { isStale, useOf } from "./announced.ts";
import type { DoctorFinding, Fix } from "./finding.ts";
import { closeFolder } from "./folder.ts";
import { rebuild } from "./integrity.ts";
import type { DoctorTarget } from "./target.ts";

/** What was repaired, and what could not be. */
export interface Repair {
  readonly fix: Fix;
  readonly done: boolean;
  readonly what: string;
}

/** In this order: what closes the folder and clears the way, then what needs it open. */
/** None but the last is wanted where there is no folder. */
const FIXES: Readonly<Record<Fix, (target: DoctorTarget, folder: string) => Promise<string>>> = {
  close_folder: async (_, folder) => {
    closeFolder(folder);
    return `${folder} is yours alone (mode 0700)`;
  },
  remove_announcement: async (_, folder) => {
    // A server may have started since.
    const use = useOf(folder);
    if (use.file === null || !isStale(use)) return "nothing was left to remove";
    rmSync(use.file, { force: true });
    return `${use.file} removed`;
  },
  rebuild: async ({ connect, progress }) => {
    await connect(({ call }) => rebuild(call, progress));
    return "all indexes made anew from the rows";
  },
};
const ORDER: readonly Fix[] = ["close_folder", "remove_announcement", "rebuild"];

/** Runs the safe repairs of these findings, each once. */
export async function repair(target: DoctorTarget, findings: readonly DoctorFinding[]): Promise<Repair[]> {
  const wanted = new Set(findings.filter(({ state }) => state === "fault").map(({ fix }) => fix));
  const repairs: Repair[] = [];
  for (const fix of ORDER.filter((one) => wanted.has(one))) {
    target.signal.throwIfAborted();
    repairs.push(await attempt(fix, target));
  }
  return repairs;
}

async function attempt(fix: Fix, target: DoctorTarget): Promise<Repair> {
  const { folder, database } = target;
  if (folder === null && database === null) return { fix, done: false, what: "the folder is on another machine" };
  try {
    return { fix, done: true, what: await FIXES[fix](target, folder ?? "") };
  } catch (error) {
    return { fix, done: false, what: error instanceof Error ? error.message : String(error) };
  }
}
