import type { Config } from "./settings.ts";

/** The settings that bound what callers send, store and get. */
export const limitsOf = (config: Config) => ({
  rates: { write: config.rate_writes, bulk: config.rate_bulk, search: config.rate_searches, read: config.rate_reads },
  requests_limit: config.requests_limit,
  connections_limit: config.connections_limit,
  memories_limit: config.memories_limit,
  documents_limit: config.documents_limit,
  body_values_limit: config.body_values_limit,
  where_nodes_limit: config.where_nodes_limit,
  metadata_bytes_limit: config.metadata_bytes_limit,
  document_bytes_limit: config.document_bytes_limit,
  members_limit: config.members_limit,
  reply_bytes_limit: config.reply_bytes_limit,
});
