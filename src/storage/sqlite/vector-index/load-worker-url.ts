// scripts/build.ts replaces this module by one that points into the executable.

/** Entry point of the worker that fills the vector index. */
export const loadWorkerUrl: string = new URL("./load-worker.ts", import.meta.url).href;
