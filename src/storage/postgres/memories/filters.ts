import type { SQL } from "drizzle-orm";
import type { MemoryFilter } from "../../../core/ports/memory-filter.ts";
import * as shared from "../../memories/filters.ts";
import { postgresDialect } from "../units/dialect.ts";

/** The predicate of a filter. */
export const memoryWhere = (filter: MemoryFilter): SQL => shared.memoryWhere(postgresDialect, filter);
