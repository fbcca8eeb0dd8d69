/** A store that is yet to be written. */
export const unbuilt = <T extends object>(name: string): T =>
  // Safe: whatever is called throws.
  new Proxy({} as T, {
    get: (_, method) => () => {
      throw new Error(`${name}.${String(method)} is not built.`);
    },
  });
