import { countValues } from "../../core/kernel/json.ts";
import { byteLength } from "../../core/kernel/text.ts";
import type { ImportOutcomeName } from "../../core/schema/keeping/import.ts";
import { IMPORT_MAX } from "../../core/schema/keeping/import.ts";
import type { Place, ReadLine, ReadRecord } from "../../formats/reader.ts";

/** Bytes of one request, well below what a body may have. */
const BATCH_BYTES_MAX = 1024 * 1024;
/** JSON values of one request; a server takes 100,000 unless it is told otherwise. */
const BATCH_VALUES_MAX = 50_000;

/** Records that go out in one request, and where each stands in its source. */
export interface Batch {
  readonly records: readonly ReadRecord[];
  readonly places: readonly Place[];
  /** How many entries of the source are read with it, those that are no records included. */
  readonly position: number;
}

/** Something of a source that was not taken. */
export interface Refusal {
  readonly place: Place;
  readonly error: string;
}

/** Something of a source that was taken otherwise than it is written, or left out as it says nothing. */
export interface Remark {
  readonly place: Place;
  readonly remark: string;
  readonly isLeftOut: boolean;
}

/** Something of a source that is not stored, because of what is there. */
export interface Kept {
  readonly place: Place;
  readonly outcome: ImportOutcomeName;
  /** The memory that is there instead; null for what is none. */
  readonly id: string | null;
  /** What it differs in, where it does. */
  readonly error: string | null;
  /** The project that it is in, null for all of them; left out where the server does not say. */
  readonly fleet_id?: string | null | undefined;
  /** The project that it would have gone to. */
  readonly to: string | null;
}

/** Gathers what a source holds into batches from an entry on; what is no record goes to `refuse`, what was taken otherwise to `remark`. */
export async function* batchesOf(
  lines: AsyncIterable<ReadLine>,
  from: number,
  refuse: (refusal: Refusal) => void,
  remark: (remark: Remark) => void = () => {},
): AsyncGenerator<Batch> {
  let records: ReadRecord[] = [];
  let places: Place[] = [];
  let [bytes, held, position] = [0, 0, 0];
  for await (const line of lines) {
    position += 1;
    if (position <= from) continue;
    if ("fault" in line) {
      refuse({ place: line.place, error: line.fault });
      continue;
    }
    if ("leftOut" in line) {
      remark({ place: line.place, remark: line.leftOut, isLeftOut: true });
      continue;
    }
    for (const one of line.remarks ?? []) remark({ place: line.place, remark: one, isLeftOut: false });
    const text = JSON.stringify(line.record);
    const size = byteLength(text);
    const values = countValues(JSON.parse(text), BATCH_VALUES_MAX);
    const isFull = records.length === IMPORT_MAX || bytes + size > BATCH_BYTES_MAX || held + values > BATCH_VALUES_MAX;
    if (isFull && records.length > 0) {
      yield { records, places, position: position - 1 };
      [records, places, bytes, held] = [[], [], 0, 0];
    }
    records.push(line.record);
    places.push(line.place);
    bytes += size;
    held += values;
  }
  if (position > from) yield { records, places, position };
}
