import type { Place } from "../cli/server/local.ts";
import type { Config } from "../config/load.ts";
import { configOf } from "../config/load.ts";
import { databaseNamed } from "../core/kernel/address.ts";

/** The data that a configuration names. */
export const placeOf = ({ data, database_url }: Config): Place => ({
  data,
  database: database_url === undefined ? null : databaseNamed(database_url),
});

/** The settings of an app that a command opens for itself. */
export const ownConfig = ({ data, cache, embedder, models, database_url, database_connections }: Config): Config =>
  configOf({ standalone: true, data, cache, embedder, models, database_url, database_connections });
