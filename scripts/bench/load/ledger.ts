/** A memory of one client's own, as its acknowledged calls left it. */
export interface OwnRow {
  readonly id: string;
  readonly client: number;
  /** A word that no other memory has. */
  mark: string;
  content: string;
  /** Null while nobody was told: a batch does not say what became of its rows. */
  status: string | null;
  metadata: Map<string, unknown>;
  deleted: boolean;
}

/** A memory that all clients change at once. */
export interface SharedRow {
  readonly id: string;
  /** Every content that anyone sent: the last one stored is one of them. */
  readonly contents: Set<string>;
  /** The last value that was acknowledged of each key; a key belongs to one client. */
  readonly metadata: Map<string, unknown>;
}

/** What must be true once all is quiet, by the calls that were acknowledged. */
export interface Ledger {
  readonly own: Map<string, OwnRow>;
  readonly shared: Map<string, SharedRow>;
  readonly violations: string[];
}

/** Violations kept; beyond this only their number grows. */
const VIOLATIONS_KEPT = 50;

export const createLedger = (): Ledger => ({ own: new Map(), shared: new Map(), violations: [] });

/** Notes a broken promise. */
export function violate(ledger: Ledger, text: string): void {
  if (ledger.violations.length < VIOLATIONS_KEPT) ledger.violations.push(text);
}

/** Notes a broken promise unless it is kept. */
export function hold(ledger: Ledger, kept: boolean, text: () => string): void {
  if (!kept) violate(ledger, text());
}
