/** Every status of a skill, the delivered ones first, with what it means. */
export const STATUSES = {
  active: "Delivered to agents.",
  staged: "Waits in the inbox.",
  candidate: "Drawn by the Forge; it has not passed all gates yet.",
  quarantined: "Kept from everybody: the scan found something critical in it, or a reviewer took it out.",
  rejected: "A reviewer rejected it; the like of it is not taken again until its cool-off is over.",
  stale: "Out of use: the memories it was drawn from no longer stand, or what it would update has changed.",
  deprecated: "Replaced by an approved update.",
} as const;
export type Status = keyof typeof STATUSES;

/** The status that a value names; null for a document that has none. */
export const statusOf = (value: unknown): Status | null =>
  typeof value === "string" && value in STATUSES
    ? // Safe: it is a name of the table.
      (value as Status)
    : null;

const TONES: Readonly<Partial<Record<Status, string>>> = {
  quarantined: "bad",
  stale: "warn",
  deprecated: "",
  candidate: "",
};
export const toneOf = (status: Status | null): string => (status === null ? "" : (TONES[status] ?? ""));
