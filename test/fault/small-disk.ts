import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/app.ts";

/** A disk of its own for a test: it can be filled without harm to anybody. */
export interface SmallDisk {
  readonly path: string;
  /** Takes all the space that is left. */
  fill(): void;
  /** Gives that space back. */
  free(): void;
  /** Only while no file on it is open for writing. */
  setReadOnly(readOnly: boolean): void;
  remove(): void;
}

const MIB = 1024 * 1024;

const isDone = (command: readonly string[]): boolean => Bun.spawnSync([...command]).success;

/** Mounts a small file system in memory; null where this process may not mount. */
export function smallDisk(megabytes: number): SmallDisk | null {
  const folder = temporaryFolder();
  if (!isDone(["mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder.path])) {
    folder.remove();
    return null;
  }
  const filler = (part: number) => join(folder.path, `filler-${part}`);
  let parts = 0;
  const take = (bytes: number): boolean => {
    try {
      writeFileSync(filler(parts++), new Uint8Array(bytes));
      return true;
    } catch {
      return false;
    }
  };
  return {
    path: folder.path,
    fill: () => {
      for (let bytes = MIB; bytes >= 1; bytes /= 4) while (take(bytes));
    },
    free: () => {
      while (parts > 0) rmSync(filler(--parts), { force: true });
    },
    setReadOnly: (readOnly) => {
      if (!isDone(["mount", "-o", `remount,${readOnly ? "ro" : "rw"}`, folder.path]))
        throw new Error("Cannot remount.");
    },
    remove: () => {
      isDone(["umount", "-l", folder.path]);
      folder.remove();
    },
  };
}

/** Whether this machine lets a test mount; asked once. */
export const mayMount = ((): boolean => {
  const disk = smallDisk(1);
  disk?.remove();
  return disk !== null;
})();
