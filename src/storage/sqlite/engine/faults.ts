import { AppError } from "../../../core/kernel/errors.ts";

/** Primary SQLite result codes that mean the disk, not the request, is at fault; extended codes begin with them. */
const DISK_FAULTS: readonly (readonly [code: string, message: string])[] = [
  ["SQLITE_FULL", "The disk is full: nothing was written. Free some space and try again; reads go on."],
  [
    "SQLITE_READONLY",
    "The data folder is read-only: nothing was written. Make it writable and try again; reads go on.",
  ],
  ["SQLITE_IOERR", "The disk failed: nothing was written. Check the disk that holds the data folder and try again."],
  ["SQLITE_CANTOPEN", "The data file cannot be opened. Check that the data folder exists and is writable."],
  [
    "SQLITE_CORRUPT",
    "The data file is damaged. Stop the server and run `cairn rebuild`, which saves what can be read.",
  ],
  ["SQLITE_NOTADB", "The data file is not a Cairn database. Choose another folder with --data."],
  ["SQLITE_BUSY", "The data file is locked by another program: nothing was written. Try again."],
];

/** What sqlite-vec says when a write of its own failed underneath; it keeps the code of the failure to itself. */
const INDEX_FAULT = /^(?:Internal sqlite-vec error|Error (?:inserting|opening|fetching|preparing)|could not )/i;
const INDEX_MESSAGE =
  "The vector index could not be written: nothing was written. The disk may be full: free some space and try again; reads go on.";

/** Whether SQLite came upon a page that is not what it should be. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "string" &&
  error.code.startsWith("SQLITE_CORRUPT");

/** A failure of the disk as UNAVAILABLE with its cause; every other error as it is. */
export function asStorageFault(error: unknown): unknown {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  const fault = DISK_FAULTS.find(([prefix]) => code.startsWith(prefix));
  if (code === "SQLITE_ERROR" && error instanceof Error && INDEX_FAULT.test(error.message)) {
    return new AppError("UNAVAILABLE", INDEX_MESSAGE, { reason: "vector_index" }, { cause: error });
  }
  return fault ? new AppError("UNAVAILABLE", fault[1], { reason: fault[0].toLowerCase() }, { cause: error }) : error;
}

/** Runs a body of storage work, turning failures of the disk into UNAVAILABLE. */
export async function guarded<T>(body: () => T | Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw asStorageFault(error);
  }
}
