import { DrizzleQueryError } from "drizzle-orm/errors";
import { AppError } from "../../../core/kernel/errors.ts";

const UNTRUSTED =
  "The certificate of the database server is of no authority that is trusted, or is out of date. Name its authority: sslrootcert=FILE in CAIRN_DATABASE_URL.";

const AWAY = "The database cannot be reached. Check CAIRN_DATABASE_URL and whether the server runs, and try again.";

/** What servers and drivers say when the server, not the request, is at fault: codes begin with them. */
const FAULTS: readonly (readonly [code: string, message: string])[] = [
  [
    "08P01",
    "The server, or a pooler in between, does not take how Cairn connects. PgBouncer needs: ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout.",
  ],
  ["08", "The connection to the database was lost. Try again."],
  ["28", "The database refused the user or the password of CAIRN_DATABASE_URL."],
  ["3D000", "There is no database of the name in CAIRN_DATABASE_URL."],
  ["42501", "The database user may not do this: it needs the right to create and use tables in its schema."],
  ["53100", "The disk of the database is full: nothing was written. Free some space and try again."],
  ["53", "The database has no room for another connection, or too little memory. Try again."],
  ["57014", "The database took too long and was stopped. Try again, or ask for less."],
  ["57P", "The database is shutting down or starting. Try again."],
  ["58", "The disk of the database failed."],
  ["25006", "The database is read-only: nothing was written. Name its primary server."],
  ["40", "Others wrote the same rows at the same moment. Try again."],
  ["55P03", "Others hold what this would write. Try again."],
  ["CONNECT", AWAY],
  ["CLOSED", "The database was closed: this server stops."],
  ["STALE", "The connection to the database was lost. Try again."],
  ["CONNECTION", "The connection to the database was lost. Try again."],
  ["ECONN", AWAY],
  ["ENO", AWAY],
  ["ETIMEDOUT", AWAY],
  [
    "TLS_REQUIRED",
    "The database takes encrypted connections only. Leave sslmode out of CAIRN_DATABASE_URL, or say sslmode=require.",
  ],
  [
    "PG_HBA",
    "The database lets nobody in that way: pg_hba.conf on its server has no entry for this user, database and host. Add one; where there is one for encrypted connections (hostssl), take sslmode=disable out of CAIRN_DATABASE_URL.",
  ],
  ["ERR_SSL", "The database server does not speak TLS, which sslmode of CAIRN_DATABASE_URL asks for."],
  ["ERR_TLS", "The certificate of the database server is for another host than the one in CAIRN_DATABASE_URL."],
  ["UNABLE_TO", UNTRUSTED],
  ["SELF_SIGNED", UNTRUSTED],
  ["DEPTH_ZERO", UNTRUSTED],
  ["CERT_", UNTRUSTED],
  ["EPIPE", "The connection to the database was lost. Try again."],
  ["EACCES", "The socket of the database may not be opened by this user. Check the host in CAIRN_DATABASE_URL."],
  ["EAI_AGAIN", "The name of the database server cannot be resolved. Check CAIRN_DATABASE_URL, and try again."],
];

/** Codes of a transaction that others got in the way of, and that may well succeed when run again. */
const REPEATABLE = ["40001", "40P01"];
/** Codes with which no statement has reached the server. */
const NOT_CONNECTED = [
  "STALE",
  "57P03",
  "53300",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
];

/** What a server or a pooler says to a connection under a code that stands for much else, and codes for it. */
const WITH_CODE: readonly (readonly [code: string, said: RegExp, own: string])[] = [
  ["08P01", /SSL required/i, "TLS_REQUIRED"],
  ["28000", /pg_hba\.conf/, "PG_HBA"],
];

/** What the driver says without a code, and codes for it. */
const WITHOUT_CODE: readonly (readonly [said: RegExp, code: string])[] = [
  [/after calling end/i, "CLOSED"],
  [/timeout/i, "CONNECT_TIMEOUT"],
  [/does not support SSL|establishing an SSL/i, "ERR_SSL"],
  [/^SASL/, "28P01"],
  [/terminated|not queryable/i, "CONNECTION_CLOSED"],
];

/** An error of the driver with a code that tells what happened; any other error as it is. */
export function coded(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const given = codeOf(error);
  const code =
    given === ""
      ? WITHOUT_CODE.find(([said]) => said.test(error.message))?.[1]
      : WITH_CODE.find(([of, said]) => of === given && said.test(error.message))?.[2];
  return code === undefined ? error : Object.assign(error, { code });
}

/** The code that a server or a driver gave, of the error itself or of what caused it; empty without one. */
export function codeOf(error: unknown): string {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if ("code" in one && typeof one.code === "string" && !(one instanceof AppError)) return one.code;
  }
  return "";
}

export const isRepeatable = (error: unknown): boolean => REPEATABLE.includes(codeOf(error));
export const isNotConnected = (error: unknown): boolean => NOT_CONNECTED.includes(codeOf(error));
/** Whether a connection was lost, so that nobody knows what came of the last statement. */
export const isLost = (error: unknown): boolean => /^(?:08|57P0[12]|CONNECTION_|ECONNRESET|EPIPE)/.test(codeOf(error));

/** A key of an index is too long: pages of Postgres have room for some 2,700 bytes of it. */
const TOO_WIDE = "54000";
const WIDE_NAME = "A name or key in it is longer than the database can look up: 2,700 bytes in all. Shorten it.";

/** A failure of the server as UNAVAILABLE with its cause, a key that is too long as BAD_REQUEST; every other error as it is, without the values of its statement. */
export function asStorageFault(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  const code = codeOf(cause);
  if (code === TOO_WIDE) return new AppError("BAD_REQUEST", WIDE_NAME, {}, { cause });
  const fault = FAULTS.find(([prefix]) => code.startsWith(prefix));
  if (!fault) return cause;
  return new AppError("UNAVAILABLE", fault[1], { reason: `database_${code.toLowerCase()}` }, { cause });
}
