/** A value that is made when it is first asked for: what takes long to set up must not hold up a start that does not need it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
