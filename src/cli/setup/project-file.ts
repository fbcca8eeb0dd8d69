import { join } from "node:path";
import type { Ground } from "./ground.ts";
import type { Machine } from "./harness.ts";
import type { HarnessName } from "./harnesses.ts";
import { HARNESS_NAMES } from "./harnesses.ts";
import { partsIn } from "./merge.ts";
import type { Planned } from "./plan.ts";
import { readText } from "./read-text.ts";
import type { Wish } from "./wish.ts";
import { wantedFor } from "./wish.ts";

/** The member that tells a file of ours from one that a person wrote. */
const MAKER = "cairn setup";

/** The file that says to which project a folder belongs, made where nothing says so. */
export function planProjectFile(name: string, ground: Ground): Planned {
  const file = join(ground.root, ".cairn.json");
  if (readIfText(file, ground) !== null)
    return { file, fault: `${file} belongs to somebody else and names no project for you: remove it first` };
  const after = `${JSON.stringify({ project: name, by: MAKER }, null, 2)}\n`;
  return { file, before: null, after, spent: [] };
}

/** What is taken back, and for whom. */
export interface Leaving {
  readonly machine: Machine;
  readonly wish: Wish;
  readonly names: readonly HarnessName[];
}

/** Takes our file back, unless it was changed, or a harness that is not among those leaving still relies on it. */
export function planProjectFileRemoval({ names, ...from }: Leaving, ground: Ground): Planned | null {
  const file = join(ground.root, ".cairn.json");
  const before = readIfText(file, ground);
  if (before === null || !/^\{\s*"project": "[^"]*",\s*"by": "cairn setup"\s*\}\s*$/.test(before)) return null;
  const others = HARNESS_NAMES.filter((name) => !names.includes(name));
  return others.some((name) => isSetUp(name, from, ground)) ? null : { file, before, after: null, spent: [] };
}

/** What cannot be read is none of ours. */
function readIfText(file: string, ground: Ground): string | null {
  try {
    return readText(file, ground);
  } catch {
    return null;
  }
}

/** A file that cannot be read may hold ours. */
function isSetUp(name: HarnessName, { machine, wish }: Omit<Leaving, "names">, ground: Ground): boolean {
  try {
    return (wantedFor(name, machine, wish) ?? []).some(
      ({ file, spot }) => partsIn(readText(file, ground) ?? "", spot).length > 0,
    );
  } catch {
    return true;
  }
}
