/** What time alone takes away, a little at a time. */
export interface RetentionStore {
  /**
   * Removes up to `limit` of each kind of row that has run out: replies kept under an idempotency key, fingerprints of
   * rejected skills, jobs of a kind that no Cairn knew which tried them for a month, and what only an older Cairn read. Returns
   * how many of all kinds.
   */
  removeSpent(nowMs: number, limit: number): Promise<number>;
  /** Removes audit entries of a tenant from before a moment, among its `limit` oldest; the newest always stays. Returns how many. */
  removeAudit(tenant_id: string, before: string, limit: number): Promise<number>;
  /** Gives a few free pages of the data file back to the file system. False when so few are left that they are kept for new rows, or it cannot. */
  giveBackPages(): Promise<boolean>;
  /**
   * Writes the data file anew from what it holds: pages that rows were moved from keep pieces of them where nobody looks. Everybody waits
   * meanwhile, so a large file is left as it is. False where it is, or somebody else writes.
   */
  rewrite(): Promise<boolean>;
}
