import { conflictPolicy } from "../conflicts/status.ts";
import type { StoragePolicies } from "../core/ports/storage-policies.ts";
import { settleNames } from "../entities/naming/settle.ts";
import { jobsAfter } from "../jobs/jobs-after.ts";

/** The rules that every storage engine of this product carries out. */
export const storagePolicies: StoragePolicies = { jobsAfter, conflicts: conflictPolicy, settleNames };
