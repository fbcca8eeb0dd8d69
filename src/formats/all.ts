import { AppError } from "../core/kernel/errors.ts";
import { nearestWord } from "../core/kernel/text.ts";
import { agentFiles } from "./agent-files.ts";
import { foreignReaders } from "./foreign/all.ts";
import { requireJson } from "./foreign/shared/files.ts";
import { firstLine, jsonl } from "./jsonl.ts";
import { markdownExport } from "./markdown/own-export.ts";
import { markdown } from "./markdown/reader.ts";
import type { FormatReader, Source } from "./reader.ts";

/** What can be imported. The first that knows a source reads it; Markdown, which takes any text, comes last. */
export const READERS: readonly FormatReader[] = [jsonl, markdownExport, ...foreignReaders, agentFiles, markdown];

/** Stands for whichever reader knows the source. */
export const AUTO = "auto";

/** The reader of a named format, or for "auto" the first that knows the source. Throws AppError BAD_REQUEST without one. */
export async function chooseReader(name: string, source: Source): Promise<FormatReader> {
  const named = READERS.find((reader) => reader.name === name);
  if (named) return named;
  if (name !== AUTO) throw unknownFormat(name);
  const detected = await detectedReader(source);
  if (detected) return detected;
  // What is wrong with the file itself is told first: it may be no text at all.
  const [only, ...others] = source.files;
  if (only && others.length === 0) await firstLine(only);
  await requireJson(source);
  throw new AppError("BAD_REQUEST", `Nothing tells what format ${source.name} has. Name one: ${formatNames()}.`);
}

/** The first reader that knows a source; null for none. */
export async function detectedReader(source: Source): Promise<FormatReader | null> {
  for (const reader of READERS) if (await reader.detects(source)) return reader;
  return null;
}

function unknownFormat(name: string): AppError {
  const near = nearestWord(name, [AUTO, ...READERS.map((reader) => reader.name)]);
  const meant = near === null ? "" : ` Did you mean "${near}"?`;
  return new AppError("BAD_REQUEST", `There is no format "${name}".${meant} Known: ${AUTO}, ${formatNames()}.`);
}

const formatNames = (): string => READERS.map((reader) => reader.name).join(", ");
