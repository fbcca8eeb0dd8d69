import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/log.ts";
import type { Pace } from "../kernel/pace.ts";
import type { Secret } from "../kernel/secret.ts";
import type { Door, Principal } from "../schema/access.ts";
import type { Embedder } from "./embedder.ts";
import type { IndexMaintenance } from "./index-maintenance.ts";
import type { Judge } from "./judge.ts";
import type { BackupRuns } from "./keeping/backups.ts";
import type { Reembedding } from "./keeping/reembedding.ts";
import type { Snapshots } from "./keeping/snapshots.ts";
import type { Llm } from "./llm.ts";
import type { ToolText } from "./mcp.ts";
import type { Changes } from "./observing/changes.ts";
import type { RecentLog } from "./observing/recent-log.ts";
import type { RequestCounts } from "./observing/request-counts.ts";
import type { SearchThreads } from "./search-threads.ts";
import type { SharedBuckets } from "./shared-buckets.ts";
import type { SkillScanner } from "./skill-scanner.ts";
import type { Storage } from "./storage.ts";

/** What the verbs may know of the configuration. */
export interface Limits {
  /** Calls a second of one caller, for each kind; 0 for no limit. */
  readonly rates: Readonly<Record<"write" | "bulk" | "search" | "read", number>>;
  /** Requests in hand at a time, and open connections, of all callers. */
  readonly requests_limit: number;
  readonly connections_limit: number;
  readonly memories_limit: number;
  readonly documents_limit: number;
  /** JSON values of one body. */
  readonly body_values_limit: number;
  /** JSON values of the `where` of a query. */
  readonly where_nodes_limit: number;
  readonly metadata_bytes_limit: number;
  readonly document_bytes_limit: number;
  /** Members at the top of metadata or of a document's data. */
  readonly members_limit: number;
  /** Bytes of the rows of one reply. */
  readonly reply_bytes_limit: number;
}

/** How callers prove who they are. */
export interface IdentityRules {
  /** A caller without one of our keys is the administrator of the standalone tenant. */
  readonly keyless: boolean;
  /** Such a caller may be any account of this machine, and not the one alone that runs the server. */
  readonly any_local_user: boolean;
  /** The one shared key of a small installation. */
  readonly api_key: Secret | null;
  /** Known only to whoever may read the data folder: the command line of the same machine. */
  readonly local_token: Secret;
  /** Shows a caller, who knows that token, that this server does too: to a challenge the proof of it. */
  readonly prove: (challenge: string) => string;
  /** What a gateway must present for its identity headers to count. */
  readonly gateway_secret: Secret | null;
}

/** One set per process. After everything was put back to a snapshot, the storage is another one. */
export interface Services {
  readonly clock: Clock;
  readonly log: Logger;
  readonly storage: Storage;
  readonly embedder: Embedder;
  /** Null where no model judges pairs of statements: the detector then finds only other values in the same words. */
  readonly judge: Judge | null;
  /** Predicates of which a subject may have several objects at once. */
  readonly manyValued: ReadonlySet<string>;
  /** The language model that the owner configured; null, and nothing lacks, without one. */
  readonly llm: Llm | null;
  /** Budgets of calls that several servers share; null when this one keeps its own. */
  readonly shared: SharedBuckets | null;
  /** Threads that search instead of this one. */
  readonly searchThreads: SearchThreads;
  /** The check or rebuild that runs. */
  readonly indexMaintenance: IndexMaintenance;
  /** The change to another model. */
  readonly reembedding: Reembedding;
  /** The backup that is being written. */
  readonly backupRuns: BackupRuns;
  /** What all can be put back to where it is in memory. */
  readonly snapshots: Snapshots;
  /** Who watches what changes. */
  readonly changes: Changes;
  /** The latest lines of the log. */
  readonly recentLog: RecentLog;
  readonly scanner: SkillScanner;
  readonly limits: Limits;
  readonly standalone: boolean;
  readonly identity: IdentityRules;
  /** When this process started serving, in epoch milliseconds. */
  readonly started_at: number;
  readonly requestCounts: RequestCounts;
  /** How fast memories get their vectors, and are read for what they say. */
  readonly pace: { readonly embedding: Pace; readonly understanding: Pace };
  /** False once the job loop cannot reach storage. */
  jobsHealthy(): boolean;
  /** The tools that MCP has. */
  toolTexts(): Promise<readonly ToolText[]>;
  /** Runs work once the reply is on its way; a failure is logged, never answered. */
  afterReply(work: () => Promise<void>): void;
}

/** What a verb receives: the services, and who asks. */
export interface Ctx extends Services {
  readonly principal: Principal;
  readonly door: Door;
  /** The agent that calls over MCP, as it names itself. */
  readonly speaker?: string | undefined;
}

/** Who calls, as far as rules of access look at it. */
export type Caller = Pick<Ctx, "principal" | "standalone">;

/** What a search reads. */
export type SearchStorage = Pick<Storage, "memories" | "tellings" | "entities" | "contradictions" | "agents">;

/** What a search needs of a call: a thread that answers searches has no more. */
export interface SearchCtx extends Caller, Pick<Ctx, "clock" | "log" | "embedder" | "llm" | "limits" | "afterReply"> {
  readonly storage: SearchStorage;
}
