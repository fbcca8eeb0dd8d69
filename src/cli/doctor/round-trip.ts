import type { Clock } from "../../core/kernel/clock.ts";
import { newTrial, TrialErased } from "../../core/schema/trial.ts";
import type { Connection } from "./connection.ts";
import type { DoctorFinding } from "./finding.ts";
import { about } from "./finding.ts";
import type { Tried } from "./round-trip-steps.ts";
import { STEPS } from "./round-trip-steps.ts";

/** A round that was made, and what it learned beside its findings. */
export interface RoundTrip {
  readonly findings: readonly DoctorFinding[];
  readonly tried: Tried;
}

interface RoundOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  /** Ends the round between two calls; what it wrote is erased all the same. */
  readonly signal: AbortSignal;
}

const WHY = "This is what agents do all day: what fails here fails for them.";

/** Writes, finds, contradicts and deletes for real, in a tenant of its own that is gone afterwards. Throws when it is interrupted. */
export async function runRoundTrip({ connection, clock, signal }: RoundOptions): Promise<RoundTrip> {
  const trial = newTrial(clock.now());
  const tried: Tried = { call: connection.within(trial), clock, ids: [] };
  const findings: DoctorFinding[] = [];
  let broken: string | null = null;
  try {
    for (const { check, run, needed } of STEPS) {
      signal.throwIfAborted();
      const finding: DoctorFinding = broken === null ? await attempt(check, () => run(tried)) : notTried(check, broken);
      findings.push(finding);
      if (needed && finding.state !== "well") broken ??= check;
    }
  } finally {
    findings.push(await eraseAll(connection, trial));
  }
  return { findings, tried };
}

const notTried = (check: string, broken: string): DoctorFinding =>
  about("round", check).unseen(`Not tried, since '${broken}' failed.`, "cairn doctor");

async function attempt(check: string, run: () => Promise<DoctorFinding>): Promise<DoctorFinding> {
  try {
    return await run();
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    return about("round", check).fault(what, { why: WHY, repair: "cairn check" });
  }
}

/** Nothing of the round may be left, whatever became of it. */
async function eraseAll({ call }: Connection, trial: string): Promise<DoctorFinding> {
  const say = about("round", "erase");
  const why = "What the examination wrote would be found in the data later.";
  const repair = "cairn doctor";
  try {
    const { left } = TrialErased.parse(await call("DELETE", `/api/v1/trials/${trial}`));
    if (left === 0) return say.well("nothing is left of it");
    return say.fault(`${left} rows of the tenant ${trial} are left.`, { why, repair });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return say.fault(`The tenant ${trial} could not be erased: ${cause}`, { why, repair });
  }
}
