import { CODE_BYTES } from "../../common/index-codes.ts";

/**
 * How the vector index lies in memory, the same for every thread: a header, a journal of changed rows, room for each thread
 * to work in, and the records in the order of their rows' numbers. The scan of `assembly/scan.ts` has the same numbers.
 */

export const PAGE_BYTES = 65_536;
/** The most that the index may grow to, 1 GiB: some thirteen million rows. */
export const PAGES_MAX = 16_384;

/** Places in the header, of four bytes each. */
export const HEADER = {
  /** Records in use. */
  count: 0,
  /** Odd while records are being moved; a scan during which it changed is done again. */
  version: 1,
  /** Entries ever written to the journal. */
  journaled: 2,
  /** 1 once every row is there. */
  ready: 3,
  /** How often the rows were read. */
  loads: 4,
} as const;

const HEADER_BYTES = 1_024;
/** Rows that the journal remembers: whoever is further behind reads anew what he kept. */
export const JOURNAL_ROWS = 16_384;
export const JOURNAL_OFFSET = HEADER_BYTES;

/** Where the room of the first thread begins, and what each has. */
export const ROOMS_OFFSET = 2 * PAGE_BYTES;
export const ROOM_BYTES = 64 * PAGE_BYTES;

/** What a scan reads, as places in a thread's room. */
export const ROOM = {
  /** The question's code, and which bits of it count. */
  code: 0,
  mask: 64,
  /** Numbers of four bytes, in the order of `SCAN_NUMBERS`. */
  numbers: 128,
  /** Of so many distances each, how many rows were kept. */
  histogram: 256,
  /** Which audiences may be read, a bit each. */
  audiences: 4_096,
  /** Slot and distance of each row that was kept. */
  found: 4_096 + 4 * PAGE_BYTES,
  /** Which slots pass what the columns do not tell, a bit each. */
  passing: 32 * PAGE_BYTES,
} as const;

/** What the columns of a row must be; both ends of a range are among it. */
export const SCAN_NUMBERS = [
  "pool",
  "author",
  "created_from",
  "created_to",
  "expires_from",
  "types",
  "statuses",
  "weight_from",
  "weight_to",
  "audiences",
  "is_listed",
  "flags",
] as const;

export const RECORD_BYTES = 80;
/** Places in a record. */
export const RECORD = {
  code: 0,
  seq: CODE_BYTES,
  audience: 60,
  author: 64,
  /** Seconds since 1970; of a row that never expires, all bits. */
  created: 68,
  expires: 72,
  type: 76,
  status: 77,
  /** 0 to 255 for 0 to 1. */
  weight: 78,
  /** Bit 0: it has a code. Bit 1: it is there. A row is found by its code when it has both. */
  flags: 79,
} as const;

export const FLAG = { coded: 1, live: 2 } as const;
export const NEVER = 0xffff_ffff;

/** Rows that a scan may keep before it throws out those that are too far. */
export const FOUND_MAX = 65_536;
