import type { TransferNeeds } from "../transfer/needs.ts";
import type { Engine } from "./engine/connection.ts";
import { insertOne, ownerCache } from "./memories/insert.ts";
import { atOnce } from "./units/memory-index.ts";

/** What an import asks of others in this engine. */
export const sqliteTransferNeeds = (db: Engine): TransferNeeds => ({
  insertMemories: (entries, gives_homes) =>
    atOnce(() => {
      const owners = ownerCache(db, { gives_homes });
      return new Map(
        entries.map((entry) => [entry.memory.id, insertOne(db, db.space, entry, owners(entry.memory))] as const),
      );
    }),
});
