/** Which documents a model has not read is told without reading them, as of memories. */
export const documentsPending: readonly string[] = [
  "create index documents_pending on documents (tenant_id, embedded_by) where summary is not null",
];
