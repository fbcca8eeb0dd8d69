import { nameOfFleet } from "../../../api/projects.ts";
import { STATUSES, TYPES, VISIBILITIES } from "../../../kit/memory-words.ts";
import type { MemoryQuery } from "./feed.ts";

export const SORTS: readonly (readonly [NonNullable<MemoryQuery["sort"]>, string])[] = [
  ["created_at", "date written"],
  ["weight", "weight"],
  ["recall_count", "times recalled"],
  ["memory_type", "type"],
  ["status", "status"],
  ["agent_id", "author"],
  ["fleet_id", "project"],
  ["expires_at", "expiry"],
  ["deleted_at", "deletion"],
];

/** How the value of a filter is given. */
type Kind = "words" | "number" | "moment" | "yes" | "place";

interface Filter {
  readonly words: string;
  readonly kind: Kind;
  /** The only values there are, with words for them. */
  readonly options?: readonly (readonly [value: string, words: string])[];
}

const plain = (values: readonly string[]) => values.map((one) => [one, one] as const);

/** The filters of a list, by the member of its query that they set; the same name stands in the address. */
const FILTERS = {
  fleet_id: { words: "Project", kind: "place" },
  /** What is for everyone is chosen among the projects. */
  shared_only: { words: "Project", kind: "place" },
  with_shared: { words: "With what all projects share", kind: "yes" },
  written_by: { words: "Author", kind: "words" },
  agent_id: { words: "As seen by the agent", kind: "words" },
  memory_type: { words: "Type", kind: "words", options: plain(TYPES) },
  exclude_memory_types: { words: "Not of type", kind: "words", options: plain(TYPES) },
  status: { words: "Status", kind: "words", options: plain(STATUSES) },
  visibility: { words: "Visible to", kind: "words", options: VISIBILITIES },
  run_id: { words: "Run", kind: "words" },
  weight_min: { words: "Weight at least", kind: "number" },
  weight_max: { words: "Weight at most", kind: "number" },
  created_after: { words: "Written after", kind: "moment" },
  created_before: { words: "Written before", kind: "moment" },
  valid_at: { words: "Held at", kind: "moment" },
  include_deleted: { words: "With deleted ones", kind: "yes" },
} as const satisfies Record<string, Filter>;
export type FilterName = keyof typeof FILTERS;

// Safe: the names are those of the table.
export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];
export const filterOf = (name: FilterName): Filter => FILTERS[name];

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** The value of a filter as a chip tells it. */
export function said(name: FilterName, value: string): string {
  const { kind, options } = filterOf(name);
  if (kind === "yes") return "";
  if (kind === "place") return name === "fleet_id" ? nameOfFleet(value) : "what is for everyone";
  if (kind === "moment") return Number.isNaN(Date.parse(value)) ? value : moment.format(Date.parse(value));
  return options?.find(([one]) => one === value)?.[1] ?? value;
}

type Address = Readonly<Record<string, string>>;

/** The filters that an address sets. */
export const filtersIn = (address: Address): (readonly [FilterName, string])[] =>
  FILTER_NAMES.flatMap((name) => (address[name] ? [[name, address[name]] as const] : []));

/** The query that an address asks for. What it asks wrongly goes along, for the server to say what is wrong. */
export function queryIn(address: Address): MemoryQuery {
  const set = Object.fromEntries(filtersIn(address));
  const { sort, order } = address;
  const query = { ...set, ...(sort ? { sort } : {}), ...(order ? { order } : {}) };
  // Safe: it goes into the address of a request as it is, and the server checks it there.
  return query as MemoryQuery;
}

/** The query of the counts of what a list holds; null where they do not have all of its filters. */
export function countedQuery(
  address: Address,
): Pick<MemoryQuery, "fleet_id" | "shared_only" | "memory_type" | "status"> | null {
  const { fleet_id, shared_only, memory_type, status } = address;
  const counted = ["fleet_id", "shared_only", "memory_type", "status", "written_by", "include_deleted"];
  if (filtersIn(address).some(([name]) => !counted.includes(name))) return null;
  if (address.written_by && address.include_deleted) return null;
  return {
    ...(fleet_id ? { fleet_id } : {}),
    ...(shared_only ? { shared_only: true } : {}),
    ...(memory_type ? { memory_type } : {}),
    ...(status ? { status } : {}),
  };
}
