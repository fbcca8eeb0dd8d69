import { examine, withoutSettings } from "./examine.ts";
import { repair } from "./fix.ts";
import type { NoSettings, Patient } from "./patient.ts";
import type { Report } from "./report.ts";
import { reportOn } from "./report.ts";

/** Looks at everything; with `fix`, repairs what it safely can and looks again. Throws when it is interrupted. */
export async function runDoctor(patient: Patient | NoSettings, { fix }: { readonly fix: boolean }): Promise<Report> {
  if ("settings_fault" in patient) return reportOn(withoutSettings(patient), []);
  const findings = await examine(patient);
  const repairs = fix ? await repair(patient, findings) : [];
  const left = repairs.length > 0 ? await examine(patient) : findings;
  patient.signal.throwIfAborted();
  return reportOn(left, repairs);
}
