import type { MaintenanceProgress } from "../../../core/ports/index-maintenance.ts";
import type { Inspection } from "../../../core/ports/storage.ts";
import type { Damaged, IntegrityCheck } from "../../../core/schema/integrity.ts";
import { isDamage } from "../engine/faults.ts";
import { nameOf } from "./pages.ts";
import type { Step } from "./steps.ts";

/** Runs steps one by one, telling how far it is before each. What it returns is whole after the last. */
export function* runSteps(steps: readonly Step[]): Generator<MaintenanceProgress, Inspection> {
  const faults = new Map<string, { faults: number; detail: string }>();
  const damaged: Damaged[] = [];
  for (const [done, step] of steps.entries()) {
    yield { done, total: steps.length, now: step.check };
    const found = runStep(step);
    const before = faults.get(step.check)?.faults ?? 0;
    faults.set(step.check, { faults: before + found.faults, detail: step.detail });
    damaged.push(...(found.damaged ?? []));
  }
  const checks = [...faults].map(([name, found]): IntegrityCheck => {
    const detail = name === "data file" ? describeDamage(damaged) : found.detail;
    return { name, ok: found.faults === 0, faults: found.faults, detail: found.faults === 0 ? SOUND : detail };
  });
  return { checks, damaged };
}

const SOUND = "as it should be";

/** Where pages are damaged, what compares rows may come upon them too: which ones, the check of the file says. */
function runStep(step: Step): { faults: number; damaged?: readonly Damaged[] } {
  try {
    return step.run();
  } catch (error) {
    if (isDamage(error)) return { faults: 1 };
    throw error;
  }
}

/** Each damaged table or index by its name. */
const describeDamage = (damaged: readonly Damaged[]): string =>
  damaged.map((one) => `${nameOf(one)}: ${one.detail}`).join("; ");
