import type { SQL } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { StoragePolicies } from "../../../core/ports/storage-policies.ts";
import type { EmbedderSpace } from "../../options.ts";
import type { Dialect } from "./dialect.ts";

/** What drizzle builds statements for: a pool of connections, or one transaction. */
export type Db = PgDatabase<PgQueryResultHKT>;

/** The rules that are followed, and the space of the vectors that are written. */
export interface Rules {
  readonly policies: StoragePolicies;
  readonly space: EmbedderSpace;
  readonly dialect: Dialect;
}

/** Statements of one transaction, or single ones, with the rules that are followed in them. */
export interface Work extends Rules {
  readonly db: Db;
  /** The rows of a statement that is written out. */
  rows<T extends object>(query: SQL): Promise<T[]>;
  /** Its first row; null without one. */
  row<T extends object>(query: SQL): Promise<T | null>;
  /** How many rows a statement changed. */
  run(query: SQL): Promise<number>;
}

/** A transaction that changes what one tenant has, after every other one that does so. */
export interface TenantWork extends Work {
  readonly tenant_id: string;
}

/** Runs work. No body may use another connection than the one that it is given: where there is but one, it would wait for itself. */
export interface Engine extends Rules {
  /** Statements that each see what is stored when they begin. */
  look<T>(body: (work: Work) => Promise<T>): Promise<T>;
  /** Statements that all see the same moment, and change nothing. */
  snapshot<T>(body: (work: Work) => Promise<T>): Promise<T>;
  /** One transaction that holds the tenant's write lock: what it reads is as the one before it left it. */
  write<T>(tenant_id: string, body: (work: TenantWork) => Promise<T>): Promise<T>;
  /** One transaction of no tenant in particular, without a lock. */
  change<T>(body: (work: Work) => Promise<T>): Promise<T>;
}
