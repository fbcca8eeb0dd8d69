import type { Database, SQLQueryBindings } from "bun:sqlite";
import type { SQL } from "drizzle-orm";
import { Placeholder } from "drizzle-orm";
import type { Step, Unit } from "../../units/unit.ts";
import type { Rendered } from "./render.ts";
import { render } from "./render.ts";

/** Runs a unit of work at once, on one connection. */
export function drive<T>(connection: Database, unit: Unit<T>): T {
  let step = unit.next();
  while (!step.done) step = unit.next(answer(connection, step.value));
  return step.value;
}

function answer(connection: Database, step: Step): unknown {
  if ("wait" in step) throw new Error("Nothing is waited for within a transaction of SQLite.");
  const { query, gives, values } = step;
  const { text, bound } = values ? renderedOnce(query) : render(query);
  // Safe: statements are written with texts, numbers, bytes and null alone.
  const given = (values ? bound.map((one) => filled(one, values)) : bound) as SQLQueryBindings[];
  const statement = connection.query(text);
  return gives === "rows" ? statement.all(...given) : statement.run(...given).changes;
}

const filled = (one: unknown, values: Readonly<Record<string, unknown>>): unknown =>
  one instanceof Placeholder ? (values[one.name] ?? null) : one;

const rendered = new WeakMap<SQL, Rendered>();

function renderedOnce(query: SQL): Rendered {
  const known = rendered.get(query) ?? render(query);
  rendered.set(query, known);
  return known;
}
