import { causeInWords, SetupError, Unreadable } from "./error.ts";
import type { Applied, Change, Occasion } from "./files.ts";
import { applyChange } from "./files.ts";

/** What came of one file. */
export interface FileResult {
  readonly file: string;
  readonly action: "created" | "changed" | "removed" | "unchanged" | "failed";
  readonly backup?: string;
  readonly fault?: string;
}

/** Makes the changes that belong together. Where one cannot be made, those before it are taken back. */
export function applyAll(changes: readonly Change[], occasion: Occasion): FileResult[] {
  const done = new Map<Change, Applied>();
  for (const change of changes) {
    if (change.before === change.after) continue;
    try {
      done.set(change, applyChange(change, occasion));
    } catch (error) {
      return changes.map((one) => {
        if (one === change) return failed(one, faultOf(one, error));
        const applied = done.get(one);
        return applied ? takenBack(one, applied) : unchanged(one);
      });
    }
  }
  for (const { settle } of done.values()) settle();
  return changes.map((one) => {
    const applied = done.get(one);
    if (!applied) return unchanged(one);
    return { file: one.file, action: actionOf(one), ...(applied.backup ? { backup: applied.backup } : {}) };
  });
}

/** What a change does to its file. */
export function actionOf({ before, after }: Change): FileResult["action"] {
  if (before === after) return "unchanged";
  if (after === null) return "removed";
  return before === null ? "created" : "changed";
}

const unchanged = ({ file }: Change): FileResult => ({ file, action: "unchanged" });
const failed = ({ file }: Change, fault: string): FileResult => ({ file, action: "failed", fault });

function faultOf({ file }: Change, error: unknown): string {
  if (error instanceof SetupError) return error.message;
  return `${file} could not be written: ${error instanceof Unreadable ? error.message : causeInWords(error)}.`;
}

function takenBack(change: Change, { undo, backup }: Applied): FileResult {
  try {
    undo();
    return unchanged(change);
  } catch (error) {
    const fault = `${change.file} was ${actionOf(change)} and could not be put back: ${causeInWords(error)}.`;
    return { ...failed(change, fault), ...(backup ? { backup } : {}) };
  }
}
