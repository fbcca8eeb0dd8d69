/** Who started this process: read before anything else is loaded, for a parent that ends meanwhile is replaced by another. */
export const PARENT = process.ppid;
