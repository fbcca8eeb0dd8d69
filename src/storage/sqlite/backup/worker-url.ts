// scripts/build.ts replaces this module by one that points into the executable.

/** Entry point of the worker that writes backups. */
export const backupWorkerUrl: string = new URL("./worker.ts", import.meta.url).href;
