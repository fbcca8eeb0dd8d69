import type { z } from "zod";
import { nearestWord, preview } from "../core/kernel/text.ts";
import type { Tool } from "./tool.ts";

/** How a value of each kind is given. */
const FORMS: Readonly<Record<string, string>> = {
  number: "a number, such as 5",
  int: "a whole number, such as 5",
  boolean: "true or false",
  array: 'a list, such as ["a", "b"]',
  record: 'an object, such as {"name": "value"}',
  string: "a text",
};
/** Characters of a value that an error repeats. */
const SHOWN = 60;

/** What is wrong with arguments, with the nearest name or value that there is, or the form that is expected. */
export function faultsOf({ name, input }: Pick<Tool, "name" | "input">, { issues }: z.ZodError): string {
  // What has the wrong type breaks other rules, too, and these say nothing then.
  const mistyped = new Set(issues.filter(({ code }) => code === "invalid_type").map(pathOf));
  const told = issues.filter((issue) => issue.code === "invalid_type" || !mistyped.has(pathOf(issue)));
  return firstOf(told, (issue) => faultOf({ name, input }, issue).replace(/\.$/, "")).join("; ");
}

/** Faults, or names, that one answer tells of. */
const TOLD_MAX = 20;

/** What is said of the first few of many, and how many more there are. */
export function firstOf<T>(all: readonly T[], said: (one: T) => string): string[] {
  const more = all.length - TOLD_MAX;
  return [...all.slice(0, TOLD_MAX).map(said), ...(more > 0 ? [`and ${more} more`] : [])];
}

const pathOf = ({ path }: Pick<z.core.$ZodIssue, "path">): string => preview(path.join("."), PATH_SHOWN);
/** Characters of the way to a value: names on it are the caller's. */
const PATH_SHOWN = 200;

function faultOf({ name, input }: Pick<Tool, "name" | "input">, issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    // What is given already is not meant by another name as well.
    const known = Object.keys(input.shape).filter((key) => !hasMember(issue.input, key));
    return firstOf(issue.keys, (key) => `${name} has no argument '${preview(key, SHOWN)}'${guess(key, known)}`).join(
      "; ",
    );
  }
  const path = pathOf(issue);
  if (issue.code === "invalid_value" && typeof issue.input === "string")
    return `${path} is one of ${issue.values.join(", ")}, which '${preview(issue.input, SHOWN)}' is not${guess(issue.input, issue.values.map(String))}`;
  if (issue.input === undefined) return `${path} is missing`;
  const form = issue.code === "invalid_type" ? FORMS[issue.expected] : undefined;
  if (form === undefined) return `${path}: ${issue.message}`;
  return `${path} is ${form}, which ${shown(issue.input)} is not`;
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= SHOWN ? text : `${preview(text, SHOWN)}...`;
};

const hasMember = (value: unknown, key: string): boolean =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key);

/** What models call arguments that no spelling leads to. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  text: ["content", "query"],
  memory: ["content"],
  statement: ["content"],
  body: ["content", "data"],
  kind: ["memory_type", "because", "op"],
  type: ["memory_type"],
  reason: ["because"],
};

function guess(word: string, known: readonly string[]): string {
  const near = MEANT[word]?.find((name) => known.includes(name)) ?? nearestWord(word, known);
  return near === null ? "" : `: did you mean '${near}'?`;
}
