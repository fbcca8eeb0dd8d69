import { join } from "node:path";
import { AppError } from "../../../core/kernel/errors.ts";
import { inodeOf } from "./folder-lock.ts";

/** Remembers which files have these names now; `check` throws once one of them is gone or another one. */
export function watchFiles(folder: string, names: readonly string[]): { check(): void } {
  const known = names.map((name) => ({ name, path: join(folder, name), inode: inodeOf(join(folder, name)) }));
  return {
    check: () => {
      const strange = known.find(({ path, inode }) => inodeOf(path) !== inode);
      if (!strange) return;
      // An open file outlives its name: writes would still succeed, and be lost with this process.
      const what = inodeOf(strange.path) === null ? "is gone" : "was replaced";
      throw new AppError(
        "UNAVAILABLE",
        `The file ${strange.name} in ${folder} ${what} while Cairn runs: nothing was written. Put the old one back, or restart Cairn.`,
        { folder, reason: "file_replaced" },
      );
    },
  };
}
