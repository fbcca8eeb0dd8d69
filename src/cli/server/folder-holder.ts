import { AppError } from "../../core/kernel/errors.ts";
import { holderOfFile, isAlive, processNamed } from "./holder.ts";
import type { RunningServer } from "./local.ts";
import { runningServer } from "./local.ts";

/** Opens a data folder. A refusal because another process has it names that process. */
export async function namingHolder<T>(folder: string, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const locked = lockedFile(error);
    if (!(error instanceof AppError) || locked === null) throw error;
    const server = liveServer(folder);
    const holder = holderOfFile(locked) ?? server?.pid;
    if (holder === undefined) throw error;
    const way = server?.pid === holder ? `, which serves at ${server.url}: \`cairn stop\` stops it` : "";
    const message = `${error.message} It is ${processNamed(holder)}${way}.`;
    throw new AppError(error.code, message, error.details, { cause: error });
  }
}

/** The file by whose lock another process keeps a folder; null for an error that says something else. */
export function lockedFile(error: unknown): string | null {
  const locked = error instanceof AppError ? error.details?.locked : undefined;
  return typeof locked === "string" ? locked : null;
}

/** The server that has a folder, as far as it announced itself; null where none is alive. */
export function liveServer(folder: string): RunningServer | null {
  const running = runningServer({ data: folder, database: null });
  return running && running.database === undefined && isAlive(running.pid) ? running : null;
}

/** How often a folder that another command has is tried, and how long is waited between. */
const TRIES = 20;
const RETRY_MS = 100;

/** Opens a folder, which another command may have for a moment; one that a server has is refused at once. */
export async function onceFree<T>(folder: string, open: () => T | Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await open();
    } catch (error) {
      if (lockedFile(error) === null || count === TRIES || liveServer(folder)) throw error;
      await new Promise((resume) => setTimeout(resume, RETRY_MS));
    }
  }
}
