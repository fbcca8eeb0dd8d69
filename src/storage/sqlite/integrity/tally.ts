import type { MaintenanceProgress } from "../../../core/ports/index-maintenance.ts";
import type { Inspection } from "../../../core/ports/storage.ts";
import type { Damaged, IntegrityCheck } from "../../../core/schema/integrity.ts";
import { isDamage } from "../engine/faults.ts";
import { nameOf } from "./pages.ts";
import type { Found, Step } from "./steps.ts";

/** Runs steps one by one, telling how far it is before each. What it returns is whole after the last. */
export function* runSteps(steps: readonly Step[]): Generator<MaintenanceProgress, Inspection> {
  const faults = new Map<string, { faults: number; isOpen: boolean; detail: string }>();
  const damaged: Damaged[] = [];
  for (const [done, step] of steps.entries()) {
    yield { done, total: steps.length, now: step.check };
    const found = runStep(step);
    const before = faults.get(step.check);
    faults.set(step.check, {
      faults: (before?.faults ?? 0) + (found.faults ?? 0),
      isOpen: found.faults === null || before?.isOpen === true,
      detail: step.detail,
    });
    damaged.push(...(found.damaged ?? []));
  }
  const checks = [...faults].map(([name, found]): IntegrityCheck => {
    const detail = name === "data file" ? describeDamage(damaged) : found.detail;
    const sound = found.isOpen ? OPEN : SOUND;
    return { name, ok: found.faults === 0, faults: found.faults, detail: found.faults === 0 ? sound : detail };
  });
  return { checks, damaged };
}

const SOUND = "as it should be";
const OPEN = "not compared this time: it was being read, or too much was written meanwhile";

/** Where pages are damaged, what compares rows may come upon them too: which ones, the check of the file says. */
function runStep(step: Step): Found {
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
