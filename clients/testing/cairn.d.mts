/** A memory as POST /api/v1/memories/bulk takes it, with those who own it. */
export interface SeedMemory {
  readonly content: string;
  readonly agent_id?: string;
  readonly fleet_id?: string;
  readonly visibility?: "scope_agent" | "scope_team" | "scope_org";
  readonly [field: string]: unknown;
}

export interface StartOptions {
  /** What every test finds: memories, or a function that writes whatever it likes to the address. */
  readonly seed?: readonly (string | SeedMemory)[] | ((url: string) => Promise<void>);
  /** Path of the executable; else the variable CAIRN_BINARY, else `cairn` on the PATH. */
  readonly binary?: string;
  /** Further flags of `cairn serve`. */
  readonly args?: readonly string[];
  /** Further variables for it; those of this process that begin with CAIRN_ are not passed on. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Cairn extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** Sends JSON and returns the reply's. Throws CairnError for a refusal. */
  call<Reply = Readonly<Record<string, unknown>>>(method: string, path: string, body?: object): Promise<Reply>;
  /** Puts everything back to the seeded state, ids included. */
  reset(): Promise<void>;
  /** Ends the process and waits for its end. */
  stop(): Promise<void>;
  /** What it wrote since the last reset, at most the last 256 KiB. */
  logs(): string;
  /** A test that finds the seeded state; when it fails, the log is in its error. */
  test(body: (cairn: Cairn) => unknown): () => Promise<void>;
}

/** Starts an instance of one's own. Throws, with what it wrote, when it cannot start or the seed is refused. */
export function startCairn(options?: StartOptions): Promise<Cairn>;

/** A reply with an error status. */
export class CairnError extends Error {
  readonly status: number;
  readonly body: unknown;
}
