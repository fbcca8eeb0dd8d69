import { z } from "zod";
import type { ErrorCode } from "../kernel/errors.ts";
import { ERROR_STATUS, ERRORS } from "../kernel/errors.ts";

const codes = Object.keys(ERROR_STATUS).filter((code): code is ErrorCode => code in ERROR_STATUS);

/** What each code means, in Markdown. */
const TABLE = [
  "| Code | Status | Meaning | What to do |",
  "|---|---|---|---|",
  ...Object.entries(ERRORS).map(
    ([code, { status, meaning, next }]) => `| ${code} | ${status} | ${meaning} | ${next} |`,
  ),
].join("\n");

export const ErrorCodeName = z.enum(codes).meta({ id: "ErrorCode", description: TABLE });

export const ValidationIssue = z
  .object({
    type: z.string(),
    loc: z
      .array(z.string())
      .describe("Where it is: a part of the request, then names and positions from the outside in."),
    msg: z.string(),
    input: z.unknown(),
    ctx: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "ValidationIssue" });
export type ValidationIssue = z.infer<typeof ValidationIssue>;

const ErrorBody = z.object({
  code: ErrorCodeName,
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});

/** The envelope of every refusal; `detail` repeats the message for older clients. */
export const Problem = z.object({ detail: z.string(), error: ErrorBody }).meta({ id: "Problem" });
export type Problem = z.infer<typeof Problem>;

/** The envelope of a 422: `detail` lists each fault of the request. */
export const ValidationProblem = z
  .object({ detail: z.array(ValidationIssue), error: ErrorBody })
  .meta({ id: "ValidationProblem" });
export type ValidationProblem = z.infer<typeof ValidationProblem>;
