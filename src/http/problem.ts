import type { z } from "zod";
import type { ErrorCode, Fault } from "../core/kernel/errors.ts";
import { AppError, ERROR_STATUS, InvalidArguments } from "../core/kernel/errors.ts";
import type { Problem, ValidationIssue, ValidationProblem } from "../core/schema/problem.ts";
import { truncateIssues, truncateText } from "./truncate-issues.ts";

/** A request that its schema refuses, with every fault found. */
export class InvalidRequest extends AppError {
  readonly issues: readonly ValidationIssue[];
  constructor(issues: readonly ValidationIssue[]) {
    const shown = truncateIssues(issues);
    super("INVALID_ARGUMENTS", inOneLine(shown), { errors: shown });
    this.issues = shown;
  }
}

const inOneLine = (issues: readonly ValidationIssue[]): string =>
  issues.map(({ msg }, at) => (at < issues.length - 1 ? msg.replace(/\.$/, "") : msg)).join("; ");

/** Where a part of a request came from: the first element of an issue's `loc`. */
export type Source = "body" | "query" | "path" | "header";

/** The faults zod found, in the interface's shape. */
export const toIssues = (source: Source, error: z.ZodError): ValidationIssue[] =>
  error.issues.map((issue) => {
    const loc = [source, ...issue.path.map(String)];
    const missing = issue.input === undefined && SHAPE_CODES.has(issue.code);
    const found = { type: missing ? "missing" : issueType(issue), loc, input: issue.input ?? null };
    const ctx = issueContext(issue);
    return { ...found, msg: missing ? "Field required" : truncateText(issue.message), ...(ctx ? { ctx } : {}) };
  });

/** What zod says of a value of another kind; of no value at all that means it is missing. */
const SHAPE_CODES: ReadonlySet<string> = new Set(["invalid_type", "invalid_union", "invalid_value"]);

type Issue = z.core.$ZodIssue;

function issueType(issue: Issue): string {
  switch (issue.code) {
    case "too_small":
      return `${issue.origin}_too_small`;
    case "too_big":
      return `${issue.origin}_too_big`;
    case "invalid_type":
      return `${issue.expected}_type`;
    case "invalid_format":
      return `${issue.format}_format`;
    case "invalid_value":
      return "enum";
    default:
      return "value_error";
  }
}

function issueContext(issue: Issue): Record<string, unknown> | null {
  switch (issue.code) {
    case "too_small":
      return { minimum: issue.minimum };
    case "too_big":
      return { maximum: issue.maximum };
    case "invalid_value":
      return { expected: issue.values };
    default:
      return null;
  }
}

/** One fault found outside a schema; `loc` overrides where it is said to be. */
export const singleIssue = (
  source: Source,
  path: (string | number)[],
  type: string,
  msg: string,
  loc?: unknown,
): InvalidRequest =>
  new InvalidRequest([
    { type, loc: Array.isArray(loc) ? loc.map(String) : [source, ...path.map(String)], msg, input: null },
  ]);

const asIssue = ({ loc, message, is_missing = false }: Fault): ValidationIssue => ({
  type: is_missing ? "missing" : "value_error",
  loc: [...loc],
  msg: message,
  input: null,
});

/** Any error as the envelope and its status; the only reader of the status table in this edge. */
export function toProblem(error: unknown): { status: number; body: Problem | ValidationProblem } {
  if (error instanceof InvalidRequest) {
    const body = { detail: [...error.issues], error: envelope(error.code, error.message, error.details) };
    return { status: ERROR_STATUS[error.code], body };
  }
  if (error instanceof InvalidArguments) return toProblem(new InvalidRequest(error.faults.map(asIssue)));
  if (error instanceof AppError && error.code === "INVALID_ARGUMENTS") {
    return toProblem(singleIssue("body", [], "value_error", error.message, error.details?.loc));
  }
  if (error instanceof AppError) {
    const body = { detail: error.message, error: envelope(error.code, error.message, error.details) };
    return { status: ERROR_STATUS[error.code], body };
  }
  const message = "Something went wrong inside Cairn. The log has the cause; please report it.";
  return { status: 500, body: { detail: message, error: envelope("INTERNAL_ERROR", message) } };
}

const envelope = (code: ErrorCode, message: string, details?: AppError["details"]) =>
  details && Object.keys(details).length > 0 ? { code, message, details } : { code, message };
