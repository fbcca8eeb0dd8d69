// scripts/build.ts replaces this module by one that points into the executable.

/** Entry point of the worker that scans skills. */
export const scanWorkerUrl: string = new URL("./worker.ts", import.meta.url).href;
