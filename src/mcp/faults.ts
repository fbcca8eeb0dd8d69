import type { z } from "zod";
import { nearestWord } from "../core/kernel/text.ts";
import type { Tool } from "./tool.ts";

/** What is wrong with arguments, with the nearest name or value that there is. */
export function faultsOf({ name, input }: Pick<Tool, "name" | "input">, error: z.ZodError): string {
  const faults = error.issues.map((issue) => {
    if (issue.code === "unrecognized_keys") {
      const known = Object.keys(input.shape);
      return issue.keys.map((key) => `${name} has no argument '${key}'${guess(key, known)}`).join("; ");
    }
    const path = issue.path.join(".");
    if (issue.code === "invalid_value" && typeof issue.input === "string")
      return `${path} is one of ${issue.values.join(", ")}, which '${issue.input.slice(0, 60)}' is not${guess(issue.input, issue.values.map(String))}`;
    return issue.input === undefined ? `${path} is missing` : `${path}: ${issue.message}`;
  });
  return `${faults.join("; ")}.`;
}

function guess(word: string, known: readonly string[]): string {
  const near = nearestWord(word, known);
  return near === null ? "" : `: did you mean '${near}'?`;
}
