import { nameId } from "../../core/kernel/ids.ts";
import type { JsonObject } from "../../core/kernel/json.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import type { ReadLine, ReadRecord } from "../../formats/reader.ts";
import type { Destination } from "./destinations.ts";
import { projectNames } from "./project-names.ts";

/** Of a source, what one of its projects holds and where that goes. */
export interface Placed {
  /** Its name as the source has it; null for what names none. */
  readonly name: string | null;
  /** Memories and documents. */
  readonly records: number;
  /** The project here; null for all of them. */
  readonly to: string | null;
  /** What said so. */
  readonly why: string;
}

export interface Survey {
  readonly projects: readonly Placed[];
  /** Memories that only their author is to see, as the tool kept them so. */
  readonly personal: number;
  /** Projects that `--map` names, and of which there is nothing in the source. */
  readonly unused_maps: readonly string[];
}

/** Puts the records of a source into the projects where they belong. */
export interface Placing {
  /** Learns what the source calls its projects, before any of its records are placed. */
  learn(lines: AsyncIterable<ReadLine>): AsyncIterable<ReadLine>;
  /** Looks up what their names mean here. */
  settle(): Promise<void>;
  place(line: ReadLine): ReadLine;
  /** The same for a whole source, which `survey` then tells of. */
  placed(lines: AsyncIterable<ReadLine>): AsyncIterable<ReadLine>;
  survey(): Survey;
}

interface PlacingOptions {
  /** Where what names no project goes. */
  readonly here: Destination;
  readonly mapped: ReadonlyMap<string, Destination>;
  /** Whether the source is of another tool, which knows nothing of the projects here: an export of ours has them as they are. */
  readonly isForeign: boolean;
  readonly resolved: (name: string) => Promise<string>;
}

const OWN_NAME = "its own name";
/** Of an export: its projects are those of a Cairn. */
export const AS_IT_WAS = "as it was";

/** Says where each record goes: as `--map` says, else into the project of the same name. */
export function createPlacing({ here, mapped, isForeign, resolved }: PlacingOptions): Placing {
  const written = new Set<string>();
  const used = new Set<string>();
  const named = new Map<string, Destination>();
  let [found, personal] = [new Map<string, Placed>(), 0];

  const mappedFrom = (...names: readonly string[]): Destination | undefined => {
    const name = names.find((one) => mapped.has(one));
    if (name !== undefined) used.add(name);
    return name === undefined ? undefined : mapped.get(name);
  };
  const destinationOf = (name: string | null | undefined): Destination => {
    if (name === null) return { fleet_id: null, why: AS_IT_WAS };
    if (name === undefined) return here;
    return named.get(name) ?? mappedFrom(name) ?? (isForeign ? here : { fleet_id: name, why: AS_IT_WAS });
  };

  const count = (line: ReadLine): void => {
    if (!("record" in line) || (line.record.record !== "memory" && line.record.record !== "document")) return;
    const { fleet_id: name, record } = line.record;
    const key = JSON.stringify([name]) + typeof name;
    const records = (found.get(key)?.records ?? 0) + 1;
    // What an export has is checked where it is stored.
    if (name != null && typeof name !== "string") return;
    const { fleet_id: to, why } = destinationOf(name);
    found.set(key, { name: name ?? null, records, to, why });
    if (isForeign && record === "memory" && line.record.visibility === "scope_agent") personal++;
  };

  const place = (line: ReadLine): ReadLine =>
    "record" in line ? { ...line, record: placedRecord(line.record, { destinationOf, here, isForeign }) } : line;

  return {
    place,
    async *learn(lines) {
      for await (const line of lines) {
        if ("record" in line && isForeign) for (const name of namesIn(line.record)) written.add(name);
        yield line;
      }
    },
    async settle() {
      for (const [one, name] of projectNames(written)) {
        named.set(one, mappedFrom(one, name) ?? { fleet_id: await resolved(name), why: OWN_NAME });
      }
    },
    async *placed(lines) {
      [found, personal] = [new Map(), 0];
      for await (const line of lines) {
        count(line);
        yield place(line);
      }
    },
    survey: () => ({
      projects: [...found.values()],
      personal,
      unused_maps: [...mapped.keys()].filter((name) => !used.has(name)),
    }),
  };
}

/** The projects that a record of another tool names. */
function namesIn(record: ReadRecord): string[] {
  const named = record.record === "entity" ? (entriesOf(record) ?? []) : [{ ...record }];
  return named.flatMap((one) => ("fleet_id" in one && typeof one.fleet_id === "string" ? one.fleet_id : []));
}

type RecordOf<Kind extends ReadRecord["record"]> = Extract<ReadRecord, { readonly record: Kind }>;

/** What is entered of an entity; null for what is no such list, which is told where it is stored. */
const entriesOf = ({ entries }: RecordOf<"entity">): JsonObject[] | null =>
  Array.isArray(entries) && entries.every((entry) => isJsonObject(entry)) ? entries : null;

interface Rules extends Pick<PlacingOptions, "here" | "isForeign"> {
  destinationOf(name: string | null | undefined): Destination;
}

function placedRecord(record: ReadRecord, { destinationOf, here, isForeign }: Rules): ReadRecord {
  const placed = (fleet_id: string | null | undefined): string | null | undefined =>
    fleet_id == null ? fleet_id : destinationOf(fleet_id).fleet_id;
  switch (record.record) {
    case "memory":
      return placedMemory(record, destinationOf);
    case "document":
      return { ...record, fleet_id: isForeign ? destinationOf(record.fleet_id).fleet_id : placed(record.fleet_id) };
    case "relation": {
      if (!isForeign) return { ...record, fleet_id: placed(record.fleet_id) };
      const { fleet_id } = destinationOf(record.fleet_id);
      // The same in two projects is two.
      return { ...record, fleet_id, id: fleet_id === null ? record.id : nameId(["relation", fleet_id, record.id]) };
    }
    case "entity": {
      const whose = ({ fleet_id }: JsonObject) => {
        if (typeof fleet_id === "string") return destinationOf(fleet_id).fleet_id;
        return isForeign ? here.fleet_id : fleet_id;
      };
      const entries = entriesOf(record)?.map((entry) => ({ ...entry, fleet_id: whose(entry) ?? null }));
      return { ...record, ...(entries ? { entries } : {}) };
    }
    case "keystone":
    case "skill":
    case "agent":
      return { ...record, fleet_id: placed(record.fleet_id) };
    case "finding":
    case "settings":
    case "projects":
      return record;
    default:
      return record satisfies never;
  }
}

/** What is for everyone is so by its visibility, whoever wrote it; what is private stays so. */
function placedMemory(record: RecordOf<"memory">, destinationOf: Rules["destinationOf"]): RecordOf<"memory"> {
  const { fleet_id: name, visibility } = record;
  const { fleet_id } = destinationOf(name);
  const isMoved = typeof name === "string" && fleet_id === null;
  const isOpen = (name === undefined && visibility == null) || (isMoved && visibility !== "scope_agent");
  // What names none is known again in another project.
  const whose = name === undefined ? {} : { fleet_id };
  return { ...record, ...whose, ...(fleet_id === null && isOpen ? { visibility: "scope_org" as const } : {}) };
}
