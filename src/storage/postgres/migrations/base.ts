import { accounts } from "./base/accounts.ts";
import { conflicts } from "./base/conflicts.ts";
import { documents } from "./base/documents.ts";
import { entities } from "./base/entities.ts";
import { memories } from "./base/memories.ts";

/** The first shape: everything, in the order in which tables refer to each other. */
export const base: readonly string[] = [accounts, memories, documents, entities, conflicts];
