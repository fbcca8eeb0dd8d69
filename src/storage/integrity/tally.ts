import type { Inspection } from "../../core/ports/storage.ts";
import type { Damaged, IntegrityCheck } from "../../core/schema/integrity.ts";
import type { Found, Step } from "./steps.ts";

/** What is damaged, by its name. */
export const nameOf = ({ table, index }: Damaged): string =>
  index === null ? `table ${table}` : `index ${index} of ${table}`;

/** Adds up what the steps of all checks find. */
export interface Tally {
  add(step: Step, found: Found): void;
  /** Whole after the last step. */
  inspection(): Inspection;
}

export function createTally(): Tally {
  const tallied = new Map<string, { readonly faults: number; readonly isOpen: boolean; readonly detail: string }>();
  const damaged: Damaged[] = [];
  return {
    add: ({ check, detail }, found) => {
      const before = tallied.get(check);
      tallied.set(check, {
        faults: (before?.faults ?? 0) + (found.faults ?? 0),
        isOpen: found.faults === null || before?.isOpen === true,
        detail,
      });
      damaged.push(...(found.damaged ?? []));
    },
    inspection: () => {
      const checks = [...tallied].map(([name, { faults, isOpen, detail }]): IntegrityCheck => {
        const ok = faults === 0;
        const fault = name === DATA_FILE ? damaged.map((one) => `${nameOf(one)}: ${one.detail}`).join("; ") : detail;
        return { name, ok, faults, detail: ok ? (isOpen ? OPEN : SOUND) : fault };
      });
      return { checks, damaged };
    },
  };
}

/** The check whose faults are what is damaged. */
export const DATA_FILE = "data file";
const SOUND = "as it should be";
const OPEN = "not compared this time: it was being read, or too much was written meanwhile";
