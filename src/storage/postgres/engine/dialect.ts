import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import { AppError } from "../../../core/kernel/errors.ts";

/** What a server can do, and what is said differently to different ones. */
export interface Dialect {
  /** Nearest codes of documents by an index (pgvector 0.7 has one for bits); else all codes of a tenant are compared. */
  readonly hasCodeIndex: boolean;
  /** What the index of memories has of their vectors: half a precision where pgvector has that (0.7). */
  readonly nearType: "halfvec" | "vector";
  /** With fewer rows than this, to compare all of them takes less time than to go through an index. */
  readonly indexedRowsMin: number;
  /** Settings of a statement that looks for the nearest, each a name and a value. */
  readonly searchSettings: readonly (readonly [name: string, value: string])[];
}

/** Servers below these are refused. PostgreSQL 14 counts the bits of a code; pgvector 0.5 is the oldest that is tested against. */
const SERVER_MIN = 140_000;
const VECTOR_MIN: Version = [0, 5];
/** The first with an index of codes and vectors of half a precision, and the first that goes on where a filter left too few. */
const CODE_INDEX_MIN: Version = [0, 7];
const ITERATIVE_SCAN_MIN: Version = [0, 8];

type Version = readonly [major: number, minor: number];

/** What a server says of itself. */
export interface ServerVersions {
  /** As `server_version_num` has it: 160002 is 16.2. */
  readonly server: number;
  /** Of pgvector; null where the database does not have it. */
  readonly vector: string | null;
}

/** The ways of a server. Throws AppError UNAVAILABLE where it is too old, or lacks pgvector, naming what to install. */
export function dialectOf({ server, vector }: ServerVersions): Dialect {
  if (server < SERVER_MIN)
    throw refused(`PostgreSQL ${Math.floor(server / 10_000)} is too old: Cairn needs PostgreSQL 14 or later.`);
  if (vector === null)
    throw refused(
      "The database lacks pgvector. Install it on the server (Debian: postgresql-16-pgvector), and have a superuser run: create extension vector.",
    );
  const version = versionOf(vector);
  if (isBefore(version, VECTOR_MIN))
    throw refused(
      `pgvector ${vector} is too old: Cairn needs 0.5 or later. Install it, and run: alter extension vector update.`,
    );
  return {
    hasCodeIndex: !isBefore(version, CODE_INDEX_MIN),
    nearType: isBefore(version, CODE_INDEX_MIN) ? "vector" : "halfvec",
    indexedRowsMin: INDEXED_ROWS_MIN,
    searchSettings: isBefore(version, ITERATIVE_SCAN_MIN) ? WIDE : [...WIDE, ...ITERATIVE],
  };
}

const INDEXED_ROWS_MIN = 5_000;

/** More than are asked for: of the nearest that an index leads to, the more it looks at the more are true. */
const WIDE = [["hnsw.ef_search", "160"]] as const;
const ITERATIVE = [
  ["hnsw.iterative_scan", "strict_order"],
  ["hnsw.max_scan_tuples", "20000"],
] as const;

/**
 * A condition that is always true, and makes the settings of a search hold for the statement: a condition without columns is
 * worked out before the first row is looked for. Asked for by themselves they would take a transaction, of four calls.
 */
export const settled = ({ searchSettings }: Dialect): SQL => {
  const settings = searchSettings.map(([name, value]) => sql`set_config(${name}, ${value}, true)`);
  return sql`(select concat(${sql.join(settings, sql`, `)}) <> '')`;
};

const refused = (message: string): AppError => new AppError("UNAVAILABLE", message, { reason: "database_version" });

function versionOf(text: string): Version {
  const [major = 0, minor = 0] = text.split(".").map(Number);
  return [major, minor];
}

const isBefore = ([major, minor]: Version, [otherMajor, otherMinor]: Version): boolean =>
  major < otherMajor || (major === otherMajor && minor < otherMinor);
