import { createReadStream } from "node:fs";
import { dirname } from "node:path";
import { openPlain, readPlain } from "../../core/kernel/files/plain-files.ts";
import type { SourceFile } from "../reader.ts";
import { gatherText, linesOf, plainly } from "../utf8.ts";
import type { ArchiveFile } from "./archive.ts";
import { unpacked } from "./unpacked.ts";
import { readZip } from "./zip.ts";

const GZIP = "1f8b";
/** What a zip begins with; an empty one begins with its end. */
const ZIP: readonly string[] = ["504b0304", "504b0506"];

/**
 * The files that an archive holds, to be unpacked as they are read: nothing is written anywhere. Null for a file that is none.
 * Throws AppError BAD_REQUEST for one that is broken, encrypted, or unpacks to more than an honest one does.
 */
export async function openArchive(archive: ArchiveFile): Promise<SourceFile[] | null> {
  const begin = plainly(archive.name, () =>
    readPlain(archive.at, { max: 4, within: dirname(archive.at) }),
  ).bytes.toString("hex");
  if (ZIP.includes(begin)) return readZip(archive);
  return begin.startsWith(GZIP) ? [gzipped(archive)] : null;
}

function gzipped({ at, name, changed_at }: ArchiveFile): SourceFile {
  const path = name.replace(/\.gz$/i, "") || name;
  const pieces = () => {
    const { descriptor, stats } = plainly(name, () => openPlain(at, { within: dirname(at) }));
    return unpacked(createReadStream(at, { fd: descriptor }), { name, kind: "gzip", packed: stats.size, size: null });
  };
  return { path, changed_at, text: () => gatherText(pieces(), path), lines: () => linesOf(pieces(), path) };
}
