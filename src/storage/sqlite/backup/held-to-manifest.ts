import { createHash } from "node:crypto";
import { Transform } from "node:stream";
import type { BackupManifest } from "../../../core/schema/keeping/backup.ts";

/** What an SQLite file begins with (its format, 1.3), and how long its head is. */
const MAGIC = Buffer.from("SQLite format 3\0");
const HEAD_BYTES = 100;
const [PAGE_SIZE_AT, PAGE_COUNT_AT] = [16, 28];
/** A page size of 65,536 has no room in its two bytes. */
const LARGEST_PAGE = 65_536;

/** The stream of what a backup unpacks to, and what is known of it at its end. */
export interface Held {
  readonly stream: Transform;
  bytes(): number;
  digest(): string;
}

/**
 * Lets through no more than the manifest says, and from the first byte on nothing but a data file of that size: a few
 * kilobytes may unpack to gigabytes. The stream ends with what `refused` makes.
 */
export function heldToManifest({ bytes }: BackupManifest, refused: () => Error): Held {
  const hash = createHash("sha256");
  let head: Buffer | null = Buffer.alloc(0);
  let seen = 0;
  const stream = new Transform({
    transform(part: Buffer, _, done) {
      seen += part.length;
      if (seen > bytes) return done(refused());
      hash.update(part);
      if (head === null) return done(null, part);
      head = Buffer.concat([head, part]);
      if (head.length < HEAD_BYTES) return done();
      if (sizeIn(head) !== bytes) return done(refused());
      const begun = head;
      head = null;
      done(null, begun);
    },
    flush(done) {
      if (head === null) done();
      else done(refused());
    },
  });
  return { stream, bytes: () => seen, digest: () => hash.digest("hex") };
}

/** How large the head of a data file says that it is; 0 for the head of anything else. */
function sizeIn(head: Buffer): number {
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) return 0;
  const pageSize = head.readUInt16BE(PAGE_SIZE_AT);
  return (pageSize === 1 ? LARGEST_PAGE : pageSize) * head.readUInt32BE(PAGE_COUNT_AT);
}
