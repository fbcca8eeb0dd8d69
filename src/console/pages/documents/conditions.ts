import { isRecord } from "../../api/problem.ts";
import type { DocumentQuery } from "../../api/schemas.gen.ts";

/** What narrows and orders the documents of a collection. */
export interface Conditions {
  /** Members of data that must be equal, value and type. */
  readonly where: Readonly<Record<string, unknown>>;
  readonly order_by: string;
  readonly order: NonNullable<DocumentQuery["order"]>;
}

/** The conditions that an address holds; what does not fit counts as none. */
export function conditionsOf({ where, order_by = "", order }: Readonly<Record<string, string>>): Conditions {
  return { where: objectOf(where ?? ""), order_by, order: order === "desc" ? "desc" : "asc" };
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** The same as members of an address. */
export const inAddress = ({ where, order_by, order }: Conditions) => ({
  where: Object.keys(where).length === 0 ? null : JSON.stringify(where),
  order_by,
  order: order_by === "" || order === "asc" ? null : order,
});

/** Whether anything is asked that a plain list does not give. */
export const isNarrowed = ({ where, order_by }: Conditions): boolean =>
  order_by !== "" || Object.keys(where).length > 0;

/** A value as somebody types it: JSON where it is some, else a text. */
export function typedValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The same backwards: a text in quotation marks only where it would be read as something else. */
export const asTyped = (value: unknown): string =>
  typeof value === "string" && typedValue(value) === value ? value : JSON.stringify(value);

/** What a typed value was understood as. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  const kinds: Readonly<Record<string, string>> = { string: "text", number: "number", boolean: "yes or no" };
  return kinds[typeof value] ?? "object";
}
