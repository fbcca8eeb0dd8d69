// scripts/build.ts replaces this module by one that points into the executable.

/** The compiled scan; without it, the plain one does its work. */
export const scanUrl: string = new URL("./scan.wasm", import.meta.url).href;
