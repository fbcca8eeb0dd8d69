import { unlessAborted } from "../../core/kernel/unless-aborted.ts";
import { AuditLog } from "../../core/schema/account.ts";
import { MemoryPage } from "../../core/schema/memory-query.ts";
import { Status } from "../../core/schema/system.ts";
import type { CallLocal } from "../call.ts";
import { inspectNewest, inspectSkew } from "./clock.ts";
import type { Connection } from "./connection.ts";
import type { DoctorFinding, Section } from "./finding.ts";
import { about } from "./finding.ts";
import { inspectIntegrity } from "./integrity.ts";
import { inspectLoaded } from "./models.ts";
import { judgeNearness } from "./nearness.ts";
import { watchNetwork } from "./network.ts";
import { inspectPort } from "./port.ts";
import { inspectProjects } from "./projects.ts";
import { runRoundTrip } from "./round-trip.ts";
import type { Tried } from "./round-trip-steps.ts";
import { inspectHealth, inspectRelease } from "./running.ts";
import type { DoctorTarget } from "./target.ts";

/** All that is asked of the API. What one answer lacks does not keep the next from being asked for. */
export async function askThrough(target: DoctorTarget, connection: Connection): Promise<DoctorFinding[]> {
  const { clock, endpoints, progress, signal } = target;
  const { call, pid } = connection;
  const watch = watchNetwork(pid);
  try {
    // What only reads need not be waited for when it is interrupted.
    const loaded = await unlessAborted(statusWhen(call, LOADED_WITHIN_MS, isLoaded), signal);
    const integrity = await unlessAborted(inspectIntegrity(call, progress), signal);
    const { findings, tried } = await runRoundTrip({ connection, clock, signal });
    signal.throwIfAborted();
    const newest = await asked("clock", "newest entry", async () => [inspectNewest(clock.now(), await newestOf(call))]);
    const status = await statusWhen(call, TRIED_WITHIN_MS, isSettled);
    watch.end();
    return [
      ...(await inspectOpened(target, connection)),
      ...inspectStatus(target, connection, { loaded, status, tried }),
      ...integrity,
      ...(await asked("data", "projects", () => inspectProjects(call))),
      ...findings,
      ...newest,
      inspectDated(tried),
      ...watch.findings(endpoints, "what" in status ? null : status),
    ];
  } finally {
    watch.end();
  }
}

/** Makes a check of its own; one that fails is told as not made. */
async function asked(section: Section, check: string, look: () => Promise<DoctorFinding[]>): Promise<DoctorFinding[]> {
  try {
    return await look();
  } catch (error) {
    return [about(section, check).unseen(error instanceof Error ? error.message : String(error), "cairn check")];
  }
}

async function inspectOpened(
  { host, port, database }: DoctorTarget,
  { via, pid }: Connection,
): Promise<DoctorFinding[]> {
  const say = about("server", "running");
  if (via === "server") return [say.well(pid === null ? "answers" : `process ${pid} answers`)];
  const what = database === null ? "folder" : "database";
  return [say.note(`No server runs: the ${what} was opened for this call.`), await inspectPort(host, port)];
}

function inspectDated({ dated }: Tried): DoctorFinding {
  return dated
    ? inspectSkew(dated.at, dated.between)
    : about("clock", "server").unseen("No row was dated.", "cairn doctor");
}

interface Statuses {
  /** Once the models were loaded. */
  readonly loaded: Status | DoctorFinding;
  /** Once what was broken off was tried again. */
  readonly status: Status | DoctorFinding;
  readonly tried: Tried;
}

function inspectStatus(
  { program }: DoctorTarget,
  { pid }: Connection,
  { loaded, status, tried }: Statuses,
): DoctorFinding[] {
  if ("what" in loaded)
    return [loaded, about("models", "loaded").unseen("The server did not tell of them.", "cairn status")];
  return [
    inspectRelease(loaded, program.release, pid),
    ...("what" in status ? [status] : inspectHealth(status)),
    ...inspectLoaded("what" in status ? loaded : status),
    judgeNearness(loaded.embedding.model, tried),
  ];
}

/** A model that is loading is given so long. */
const LOADED_WITHIN_MS = 30_000;
/** A job that a stop broke off is tried again at the next start, and the judge is loaded for the round: a moment each. */
const TRIED_WITHIN_MS = 5_000;
const POLL_MS = 100;

const isLoaded = ({ embedding }: Status): boolean => embedding.phase !== "loading";
const isSettled = ({ jobs, judge }: Status): boolean =>
  (jobs === null || jobs.failing === 0) && judge.phase !== "waiting";

/** The status once it is as wanted, or as it is when the time is over; a finding where there is none. */
async function statusWhen(
  call: CallLocal,
  limitMs: number,
  isSo: (status: Status) => boolean,
): Promise<Status | DoctorFinding> {
  try {
    for (let waited = 0; ; waited += POLL_MS) {
      const status = Status.parse(await call("GET", "/api/v1/status"));
      if (isSo(status) || waited >= limitMs) return status;
      await new Promise((resume) => setTimeout(resume, POLL_MS));
    }
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    const why = "What cannot say how it is can hardly serve.";
    return about("server", "status").fault(what, { why, repair: "cairn status" });
  }
}

/** When the newest of what is stored was written or changed; null where nothing is. */
async function newestOf(call: CallLocal): Promise<string | null> {
  const { items } = MemoryPage.parse(await call("GET", "/api/v1/memories?limit=1&include_deleted=true"));
  const audit = AuditLog.parse(await call("GET", "/api/v1/audit-log?limit=1"));
  const times = [items[0]?.created_at, audit.items[0]?.at].filter((time) => time !== undefined);
  return times.toSorted().at(-1) ?? null;
}
