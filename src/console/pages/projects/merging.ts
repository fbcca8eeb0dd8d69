import { call } from "../../api/call.ts";
import { count, plural } from "../../kit/numbers.ts";
import { toast } from "../../kit/toast.tsx";

interface Merge {
  readonly from: string;
  readonly into: string;
  /** Told how much moved so far. */
  readonly onStep: (moved: number) => void;
  /** Whether it is to be broken off; asked again, it goes on where it was. */
  readonly isEnded: () => boolean;
}

/** Makes a project part of another one, in as many steps as the server takes; gives whether all of it is done. Throws CallProblem. */
export async function mergeProjects({ from, into, onStep, isEnded }: Merge): Promise<boolean> {
  let [moved, deleted] = [0, 0];
  for (;;) {
    const step = await call("mergeProjects", { body: { from, into } });
    moved += step.moved;
    deleted += step.deleted;
    onStep(moved);
    if (step.is_done) break;
    if (isEnded()) return false;
  }
  const twice = deleted > 0 ? ` ${plural(deleted, "memory", "memories")} that both had can be restored.` : "";
  toast(`Merged: ${count(moved)} moved.${twice}`);
  return true;
}
