// scripts/build.ts replaces this module by one that points into the executable.

/** Entry point of the worker that checks the data file. */
export const checkWorkerUrl: string = new URL("./worker.ts", import.meta.url).href;
