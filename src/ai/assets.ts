import { fileURLToPath } from "node:url";
import type { EmbeddedFile } from "../core/kernel/files/embedded-files.ts";

// scripts/build.ts replaces this module by one that points into the executable; its exports must stay the same.

/** Folder with one folder per model. */
export const modelsRoot: string = fileURLToPath(new URL("../../models", import.meta.url));

/** Native libraries of the model runtime to unpack before use; none from source, where its package finds them. */
export const runtimeFiles: readonly EmbeddedFile[] = [];

/** Entry point of the worker that runs the models. */
export const workerUrl: string = new URL("./worker/worker.ts", import.meta.url).href;
