import type { TransferNeeds } from "../transfer/needs.ts";
import { putDocumentWords } from "./documents/indexes.ts";
import { putMembers } from "./documents/members.ts";
import type { Engine } from "./engine/connection.ts";
import { insertOne, ownerCache } from "./memories/insert.ts";
import { atOnce } from "./units/memory-index.ts";

/** What an import asks of others in this engine. */
export const sqliteTransferNeeds = (db: Engine, tenant_id: string): TransferNeeds => ({
  insertMemories: (entries, gives_homes) =>
    atOnce(() => {
      const owners = ownerCache(db, { gives_homes });
      return new Map(
        entries.map((entry) => [entry.memory.id, insertOne(db, db.space, entry, owners(entry.memory))] as const),
      );
    }),
  indexDocument: ({ seq, collection }, { document, searchable }) =>
    atOnce(() => {
      putMembers(db, { seq, tenant_id, collection }, document.data);
      if (searchable) putDocumentWords(db, seq, searchable);
    }),
});
