import { sep } from "node:path";

/** Whether a path says that it is a folder, by what ends it. */
export const endsAsFolder = (path: string): boolean => path.endsWith("/") || path.endsWith(sep);
