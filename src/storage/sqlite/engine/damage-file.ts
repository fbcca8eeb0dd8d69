import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "../../../core/kernel/files/private-files.ts";
import { Damaged } from "../../../core/schema/integrity.ts";

/** What was found damaged is remembered beside the data file: a start must not begin to write again. */
const DAMAGE_FILE = "cairn.damaged.json";

/** Notes beside the data file that its pages are damaged, so that the next start knows. */
export function rememberDamage(folder: string, damaged: readonly Damaged[]): void {
  try {
    writePrivateFile(join(folder, DAMAGE_FILE), JSON.stringify(damaged));
  } catch {
    // A disk that takes nothing more: then it is known until this process ends.
  }
}

/** What was found damaged when last looked at; nothing when that was never written, or not legibly. */
export function rememberedDamage(folder: string): readonly Damaged[] {
  try {
    return z.array(Damaged).parse(JSON.parse(readFileSync(join(folder, DAMAGE_FILE), "utf8")));
  } catch {
    return [];
  }
}

/** Where there is nothing to forget, a folder that takes no change is none of its concern. */
export function forgetDamage(folder: string): void {
  const path = join(folder, DAMAGE_FILE);
  if (existsSync(path)) rmSync(path);
}
