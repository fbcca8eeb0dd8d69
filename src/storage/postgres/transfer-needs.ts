import type { TransferNeeds } from "../transfer/needs.ts";
import { wait } from "../units/unit.ts";
import type { TenantWork } from "./engine/work.ts";
import { insertAll } from "./memories/insert.ts";

/** What an import asks of others in this engine. */
export const postgresTransferNeeds = (work: TenantWork): TransferNeeds => ({
  insertMemories: (entries, gives_homes) =>
    wait(async () => {
      const rows = await insertAll(work, entries, { gives_homes });
      return new Map(rows.map(({ id, seq }) => [id, seq]));
    }),
});
