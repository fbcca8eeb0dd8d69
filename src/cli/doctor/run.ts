import { examine, withoutSettings } from "./examine.ts";
import { repair } from "./fix.ts";
import type { Report } from "./report.ts";
import { reportOn } from "./report.ts";
import type { DoctorTarget, NoSettings } from "./target.ts";

/** Looks at everything; with `fix`, repairs what it safely can and looks again. Throws when it is interrupted. */
export async function runDoctor(
  target: DoctorTarget | NoSettings,
  { fix }: { readonly fix: boolean },
): Promise<Report> {
  if ("settings_fault" in target) return reportOn(withoutSettings(target), []);
  const findings = await examine(target);
  const repairs = fix ? await repair(target, findings) : [];
  const left = repairs.length > 0 ? await examine(target) : findings;
  target.signal.throwIfAborted();
  return reportOn(left, repairs);
}
