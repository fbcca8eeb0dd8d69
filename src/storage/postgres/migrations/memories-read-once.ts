/** Tables whose rows are written anew as they are read anew. */
const REWRITTEN = ["memory_vectors", "memory_codes", "b_memory_vectors", "b_memory_codes"];

/**
 * One model reads memories: what a second one made of them goes, from the rows themselves as they are read anew. What each of
 * those leaves is taken up again before it is a fifth of a table.
 */
export const memoriesReadOnce: readonly string[] = [
  "alter table memory_vectors drop column second",
  "alter table b_memory_vectors drop column second",
  ...REWRITTEN.map(
    (table) =>
      `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02)`,
  ),
];
