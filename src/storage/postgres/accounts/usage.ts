import * as usage from "../../accounts/usage.ts";
import type { TenantWork, Work } from "../engine/work.ts";
import { postgresDialect as dialect } from "../units/dialect.ts";
import { drive } from "../units/drive.ts";

/** Memories of a tenant that are not deleted; kept as a counter because every write reply reports it. */
export const storedMemories = (work: Work, tenant_id: string): Promise<number> =>
  drive(work, usage.storedMemories(tenant_id));

/** Moves the counter inside the transaction that adds or removes the rows. */
export const changeUsage = (work: TenantWork, by: number): Promise<void> =>
  drive(work, usage.changeUsage({ dialect, tenant_id: work.tenant_id }, by));
