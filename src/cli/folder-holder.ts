import { AppError } from "../core/kernel/errors.ts";
import { holderOfFile, processNamed } from "./holder.ts";
import { runningServer } from "./local.ts";

/** Opens a data folder. A refusal because another process has it names that process. */
export function namingHolder<T>(folder: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const locked = lockedFile(error);
    if (!(error instanceof AppError) || locked === null) throw error;
    const holder = holderOfFile(locked) ?? runningServer(folder)?.pid;
    if (holder === undefined) throw error;
    throw new AppError(error.code, `${error.message} It is ${processNamed(holder)}.`, error.details, { cause: error });
  }
}

/** The file by whose lock another process keeps a folder; null for an error that says something else. */
export function lockedFile(error: unknown): string | null {
  const locked = error instanceof AppError ? error.details?.locked : undefined;
  return typeof locked === "string" ? locked : null;
}
