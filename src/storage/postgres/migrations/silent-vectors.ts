/** A silent vector is near to nothing: no index finds it. */
export const silentVectors: readonly string[] = ["memory_vectors", "b_memory_vectors"].map(
  (table) => `alter table ${table} alter column near drop not null`,
);
