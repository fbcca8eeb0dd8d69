// scripts/build.ts replaces this module by one that points into the executable.

/** Entry point of the worker that empties the log. */
export const checkpointWorkerUrl: string = new URL("./checkpoint-worker.ts", import.meta.url).href;
