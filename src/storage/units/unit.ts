import type { SQL } from "drizzle-orm";

/** One step of a unit of work: a statement, or what an engine does in a way of its own. */
export type Step =
  | {
      readonly query: SQL;
      readonly gives: "rows" | "changed";
      /** What placeholders of the statement stand for; the same statement is then rendered once. */
      readonly values?: Readonly<Record<string, unknown>>;
    }
  | { readonly wait: () => Promise<unknown> };

/**
 * A unit of work, written once for both engines: it yields its statements, and goes on with what each of them gives. SQLite runs
 * it within one synchronous transaction, Postgres awaits each step.
 */
export type Unit<T> = Generator<Step, T, unknown>;

/** The rows of a statement. */
export function* rows<T extends object>(query: SQL, values?: Readonly<Record<string, unknown>>): Unit<T[]> {
  // Safe: an engine answers with the columns that the statement names.
  return (yield { query, gives: "rows", ...(values && { values }) }) as T[];
}

/** Its first row; null without one. */
export function* row<T extends object>(query: SQL): Unit<T | null> {
  const [first] = yield* rows<T>(query);
  return first ?? null;
}

/** How many rows a statement changed. */
export function* run(query: SQL, values?: Readonly<Record<string, unknown>>): Unit<number> {
  // Safe: asked for the number of changed rows, an engine answers with it.
  return (yield { query, gives: "changed", ...(values && { values }) }) as number;
}

/** What an engine does in its own way, and has to be waited for. */
export function* wait<T>(done: () => Promise<T>): Unit<T> {
  // Safe: the engine answers with what the promise gave.
  return (yield { wait: done }) as T;
}
