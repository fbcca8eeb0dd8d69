import { join } from "node:path";
import { readText } from "./files.ts";
import type { Machine } from "./harness.ts";
import type { HarnessName } from "./harnesses.ts";
import { HARNESS_NAMES } from "./harnesses.ts";
import { partsIn } from "./merge.ts";
import type { Planned } from "./plan.ts";
import type { Wish } from "./wish.ts";
import { wantedFor } from "./wish.ts";

/** The member that tells a file of ours from one that a person wrote. */
const MAKER = "cairn setup";

/** The file that says to which project a folder belongs, made where nothing says so. */
export function planProjectFile(machine: Machine, name: string): Planned {
  const file = join(machine.project, ".cairn.json");
  const after = `${JSON.stringify({ project: name, by: MAKER }, null, 2)}\n`;
  return { file, before: null, after, spent: [] };
}

/** Takes our file back, unless it was changed, or a harness that is not among those given still relies on it. */
export function planProjectFileRemoval(machine: Machine, wish: Wish, leaving: readonly HarnessName[]): Planned | null {
  const file = join(machine.project, ".cairn.json");
  const before = readIfText(file);
  if (before === null || !/^\{\s*"project": "[^"]*",\s*"by": "cairn setup"\s*\}\s*$/.test(before)) return null;
  const others = HARNESS_NAMES.filter((name) => !leaving.includes(name));
  return others.some((name) => isSetUp(name, machine, wish)) ? null : { file, before, after: null, spent: [] };
}

/** What cannot be read is none of ours. */
function readIfText(file: string): string | null {
  try {
    return readText(file);
  } catch {
    return null;
  }
}

/** A file that cannot be read may hold ours. */
function isSetUp(name: HarnessName, machine: Machine, wish: Wish): boolean {
  try {
    return (wantedFor(name, machine, wish) ?? []).some(
      ({ file, spot }) => partsIn(readText(file) ?? "", spot).length > 0,
    );
  } catch {
    return true;
  }
}
