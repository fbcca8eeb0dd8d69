import type { LeftRoom } from "../../keeping/retention.ts";
import type { GroupedConnections } from "../engine/connection.ts";
import { guarded } from "../engine/faults.ts";
import { giveBackPages } from "../engine/free-pages.ts";

/** How long the thread that answers is held to give pages back; the commit takes as long again. */
const GIVE_BACK_MS = 4;
/** Steps that write so much to the log that it is emptied before it is so large that a commit has to. */
const STEPS_PER_LOG = 8;

/** The largest data file that is written anew while the server serves: some two seconds. */
const REWRITTEN_MAX_BYTES = 256 * 1024 * 1024;
const FILE_BYTES = "select page_count * page_size as bytes from pragma_page_count, pragma_page_size";

/** What a second model made of documents, in files of when there was one. */
const SPENT_TABLES: readonly string[] = ["document_paraphrases"];

/** Gives room that rows left back to the disk, and writes a small file anew. */
export function sqliteLeftRoom(db: GroupedConnections): LeftRoom {
  let steps = 0;
  return {
    spentTables: SPENT_TABLES,
    rewrite: () =>
      guarded(() => {
        const { bytes } = db.readConnection.query<{ bytes: number }, []>(FILE_BYTES).get() ?? { bytes: 0 };
        if (bytes > REWRITTEN_MAX_BYTES || db.writeConnection.inTransaction) return false;
        db.writeConnection.exec("vacuum");
        return true;
      }),
    giveBackPages: async () => {
      const give = () => giveBackPages(db.writeConnection, GIVE_BACK_MS, () => performance.now());
      const isMore = await guarded(() => db.write(give));
      steps++;
      // While somebody reads from it, it grows.
      if (steps % STEPS_PER_LOG === 0) await db.emptyLog().catch(() => {});
      return isMore;
    },
  };
}
