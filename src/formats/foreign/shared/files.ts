import type { z } from "zod";
import { AppError } from "../../../core/kernel/errors.ts";
import type { JsonValue } from "../../../core/kernel/json.ts";
import type { Source, SourceFile } from "../../reader.ts";
import { headOf, keyPaths, withoutMark } from "./shape.ts";

/** JSON that is one value is read as a whole, up to so many characters; JSON lines have no such limit. */
export const JSON_MAX = 512 * 1024 * 1024;

export type IsShape = (paths: ReadonlySet<string>) => boolean;

/** The files of a source whose JSON begins like that. A file that was named itself may have any name. */
export async function jsonFilesLike(source: Source, isShape: IsShape): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for (const file of source.files) {
    if (source.files.length > 1 && !/\.(?:jsonl?|ndjson|af)$/i.test(file.path)) continue;
    if (isShape(keyPaths(await headOf(file)))) found.push(file);
  }
  return found;
}

/** The same; throws BAD_REQUEST where there is none. */
export async function needJsonFilesLike(source: Source, isShape: IsShape, what: string): Promise<SourceFile[]> {
  const files = await jsonFilesLike(source, isShape);
  if (files.length === 0) throw await noneOf(source, what);
  return files;
}

/** Of a source that nobody knows, its JSON may be broken: throws BAD_REQUEST, naming the first such file. */
export async function requireJson({ files }: Source): Promise<void> {
  for (const file of files.slice(0, LOOKED_AT)) if (/\.(?:json|af)$/i.test(file.path)) await jsonOf(file);
}
const LOOKED_AT = 20;

/** Why a source is not what it was named as: its JSON is broken, which is thrown, or it is something else. */
export async function noneOf(source: Source, what: string): Promise<AppError> {
  await requireJson(source);
  return new AppError(
    "BAD_REQUEST",
    `${source.name} is not ${what}. Name the file or the folder that the tool wrote, or another format with --from.`,
  );
}

/** The JSON value that a file is. Throws BAD_REQUEST where it is none, or too large to be read as a whole. */
export async function jsonOf(file: SourceFile): Promise<JsonValue> {
  const text = withoutMark(await file.text());
  if (text.length > JSON_MAX)
    throw new AppError(
      "BAD_REQUEST",
      `${file.path} has ${text.length} characters; JSON that is one value is read up to ${JSON_MAX}. Export it in parts.`,
    );
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("BAD_REQUEST", `${file.path} is not JSON: ${messageOf(cause)}. Export it again.`, undefined, {
      cause,
    });
  }
}

/** A line that is one JSON value, or why it is none. */
export function jsonLine(line: string): { readonly value: JsonValue } | { readonly fault: string } {
  try {
    return { value: JSON.parse(line) };
  } catch (error) {
    return { fault: `It is not JSON: ${messageOf(error)}.` };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const FAULTS_SHOWN = 3;

/** What about a value does not fit its schema, in a line. */
export const shapeFault = (error: z.ZodError): string =>
  error.issues
    .slice(0, FAULTS_SHOWN)
    .map(({ path, message }) => (path.length > 0 ? `${path.join(".")}: ${message}` : message))
    .join("; ");
