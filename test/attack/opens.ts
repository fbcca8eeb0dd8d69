import { dlopen, FFIType, ptr } from "bun:ffi";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";

// inotify(7): told by the kernel of each file that any process opens in a folder.

const [IN_OPEN, IN_ISDIR] = [0x20, 0x4000_0000];
const [O_NONBLOCK, O_CLOEXEC] = [0o4000, 0o2000000];
/** wd, mask, cookie and length of the name: four 32-bit numbers. */
const EVENT_BYTES = 16;
const BUFFER_BYTES = 1 << 20;

export interface Watch {
  /** Files that were opened since the beginning, as paths below the folder; each once. */
  end(): string[];
}

/** Watches a folder and all below it; null where the system has no inotify. */
export function openedIn(folder: string): Watch | null {
  if (process.platform !== "linux") return null;
  const libc = dlopen("libc.so.6", {
    inotify_init1: { args: [FFIType.i32], returns: FFIType.i32 },
    inotify_add_watch: { args: [FFIType.i32, FFIType.ptr, FFIType.u32], returns: FFIType.i32 },
    read: { args: [FFIType.i32, FFIType.ptr, FFIType.u64], returns: FFIType.i64 },
    close: { args: [FFIType.i32], returns: FFIType.i32 },
  }).symbols;
  const file = libc.inotify_init1(O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return null;
  const folders = new Map<number, string>();
  for (const path of [folder, ...foldersBelow(folder)]) {
    const name = Buffer.from(`${path}\0`);
    folders.set(libc.inotify_add_watch(file, ptr(name), IN_OPEN), path);
  }
  return {
    end() {
      const buffer = Buffer.alloc(BUFFER_BYTES);
      const length = Number(libc.read(file, ptr(buffer), BUFFER_BYTES));
      libc.close(file);
      const found = new Set<string>();
      for (let at = 0; at + EVENT_BYTES <= length; ) {
        const mask = buffer.readUInt32LE(at + 4);
        const bytes = buffer.readUInt32LE(at + 12);
        const name = buffer.toString("utf8", at + EVENT_BYTES, at + EVENT_BYTES + bytes).replace(/\0+$/, "");
        const place = folders.get(buffer.readInt32LE(at)) ?? folder;
        if ((mask & IN_ISDIR) === 0 && name !== "") found.add(relative(folder, join(place, name)));
        at += EVENT_BYTES + bytes;
      }
      return [...found].sort();
    },
  };
}

const foldersBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...foldersBelow(path)] : [];
  });
