import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Target } from "./targets.ts";
import { TARGETS } from "./targets.ts";

/** What lies in an executable. */
export interface Parts {
  /** Files that it carries as they are. */
  readonly embedded: readonly string[];
  /** Native files it was made from, which must be of its own platform. */
  readonly native: readonly string[];
}

/** Bytes that are searched for before all are compared. */
const PROBE_BYTES = 64;

/** Looks through an executable as far as one of another platform can be: throws unless it and all parts are of the target. */
export function inspectExecutable(path: string, target: Target, { embedded, native }: Parts): void {
  const executable = readFileSync(path);
  const faults = [path, ...native].flatMap((file) => {
    const found = platformOf(file === path ? executable : readFileSync(file));
    return found.includes(target) ? [] : [`${file} is for ${found.join(" or ") || "no known platform"}, not ${target}`];
  });
  const missing = embedded.filter((file) => !holds(executable, readFileSync(file)));
  faults.push(...missing.map((file) => `${basename(file)} is not in ${path} as ${file} holds it`));
  if (embedded.length === 0) faults.push(`${path} carries no files`);
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

/** Whether all bytes of a part lie in the whole, one after the other. */
function holds(whole: Buffer, part: Buffer): boolean {
  const probe = part.subarray(0, PROBE_BYTES);
  for (let at = whole.indexOf(probe); at >= 0; at = whole.indexOf(probe, at + 1))
    if (whole.subarray(at, at + part.length).equals(part)) return true;
  return false;
}

const [ELF, MACH_O_64, MACH_O_FAT, DOS] = [0x7f454c46, 0xcffaedfe, 0xcafebabe, 0x4d5a];
/** Machine numbers: ELF e_machine, Mach-O cputype, PE Machine. */
const MACHINES: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  linux: { 62: "x64", 183: "arm64" },
  darwin: { 16777223: "x64", 16777228: "arm64" },
  windows: { 34404: "x64", 43620: "arm64" },
};
const FAT_HEADER_BYTES = 8;
const FAT_ENTRY_BYTES = 20;

/** The targets that the head of a native file is for; several for a Mach-O file with several parts, none for anything else. */
export function platformOf(file: Buffer): Target[] {
  const named = (os: string, machine: number): Target[] =>
    TARGETS.filter((target) => target === `${os}-${MACHINES[os]?.[machine]}`);
  const magic = file.readUInt32BE(0);
  if (magic === ELF) return named("linux", file.readUInt16LE(18));
  if (magic === MACH_O_64) return named("darwin", file.readUInt32LE(4));
  if (magic === MACH_O_FAT) {
    const parts = Array.from({ length: file.readUInt32BE(4) }, (_, i) => FAT_HEADER_BYTES + i * FAT_ENTRY_BYTES);
    return parts.flatMap((at) => named("darwin", file.readUInt32BE(at)));
  }
  if (magic >>> 16 !== DOS) return [];
  const head = file.readUInt32LE(0x3c);
  return file.toString("latin1", head, head + 4) === "PE\0\0" ? named("windows", file.readUInt16LE(head + 4)) : [];
}
