import { parse } from "yaml";
import { isJsonObject, type JsonObject } from "../../core/kernel/json.ts";
import { withoutMark } from "./shared/shape.ts";

export interface Note {
  /** Empty where there is none, or what stands there is no YAML. */
  readonly front_matter: JsonObject;
  /** Why what stands in front is no front matter. */
  readonly fault: string | null;
  /** What comes after it. */
  readonly body: string;
  /** The line of the file that the body begins with, from 1. */
  readonly line: number;
}

const FENCED = /^---[ \t]*\r?\n([\s\S]*?\n)??---[ \t]*(?:\r?\n|$)/;
/** YAML may say the same thing very often in few words: so many repetitions are more than a note has. */
const ALIASES_MAX = 100;

/** A Markdown text and the YAML in front of it. */
export function frontMatterOf(text: string): Note {
  const whole = withoutMark(text);
  const [fenced, yaml = ""] = FENCED.exec(whole) ?? [];
  if (fenced === undefined) return { front_matter: {}, fault: null, body: whole, line: 1 };
  return { ...parsed(yaml), body: whole.slice(fenced.length), line: fenced.split("\n").length };
}

function parsed(yaml: string): Pick<Note, "front_matter" | "fault"> {
  try {
    const value: unknown = parse(yaml, { schema: "core", maxAliasCount: ALIASES_MAX, logLevel: "error" });
    if (isJsonObject(value)) return { front_matter: value, fault: null };
    return { front_matter: {}, fault: value === null ? null : "Its front matter has no names." };
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { front_matter: {}, fault: `Its front matter is not YAML: ${reason}` };
  }
}
