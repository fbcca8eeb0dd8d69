// scripts/build.ts replaces this module by one that points into the executable.

/** Entry point of the threads that answer searches. */
export const searchWorkerUrl: string = new URL("./worker.ts", import.meta.url).href;
