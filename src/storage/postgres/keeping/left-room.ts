import type { LeftRoom } from "../../keeping/retention.ts";

/**
 * Room that rows leave is given to new ones, or back to the disk, by the server itself (autovacuum), which also writes anew what
 * they lay in: nothing is asked of it here.
 */
export const LEFT_TO_SERVER: LeftRoom = {
  giveBackPages: async () => false,
  rewrite: async () => false,
  spentTables: [],
};
