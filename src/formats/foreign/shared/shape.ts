import { AppError } from "../../../core/kernel/errors.ts";
import type { SourceFile } from "../../reader.ts";

/** So much of a file is looked at to learn what it is. */
const HEAD = 64 * 1024;
/** Keys deeper than this tell nothing of a format. */
const DEPTH_MAX = 4;

const heads = new WeakMap<SourceFile, Promise<string>>();

/** The beginning of a file, read once however many readers ask; empty where it is no text. */
export function headOf(file: SourceFile): Promise<string> {
  const head = heads.get(file) ?? readHead(file);
  heads.set(file, head);
  return head;
}

async function readHead(file: SourceFile): Promise<string> {
  let head = "";
  try {
    for await (const line of file.lines()) {
      head += `${line}\n`;
      if (head.length >= HEAD) break;
    }
  } catch (error) {
    if (error instanceof AppError) return "";
    throw error;
  }
  return withoutMark(head).slice(0, HEAD);
}

/** A text without the byte order mark that some programs put in front. */
export const withoutMark = (text: string): string => (text.startsWith("\ufeff") ? text.slice(1) : text);

interface Open {
  readonly path: string;
  readonly isList: boolean;
}

/** A whole string, a mark of the syntax, or a quote whose string is cut off. */
const TOKEN = /"((?:[^"\\]|\\.)*)"(\s*:)?|[{}[\]]|"/g;

/**
 * The keys of the first value of a JSON text, which may be cut off, by where they stand.
 *
 * @example
 * keyPaths('{"results": [{"id": 1, "mem') // {"results", "results[].id"}
 */
export function keyPaths(head: string): ReadonlySet<string> {
  const paths = new Set<string>();
  const open: Open[] = [];
  let key = "";
  for (const [token, text = "", colon] of head.matchAll(TOKEN)) {
    if (token === '"') break;
    if (colon !== undefined) {
      key = joined(open.at(-1)?.path ?? "", text);
      if (open.length <= DEPTH_MAX) paths.add(key);
    } else if (isBorder(token, open, key)) break;
  }
  return paths;
}

/** Goes into a list or object, or out of it; says whether it was the last. */
function isBorder(token: string, open: Open[], key: string): boolean {
  if (token === "{" || token === "[") open.push(opened(open.at(-1), key, token === "["));
  else if (token === "}" || token === "]") open.pop();
  else return false;
  return open.length === 0;
}

const joined = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);

/** What stands in a list has the path of the list, whatever key came last. */
function opened(within: Open | undefined, key: string, isList: boolean): Open {
  const path = within === undefined ? "" : within.isList ? within.path : key;
  return { path: isList ? `${path}[]` : path, isList };
}
