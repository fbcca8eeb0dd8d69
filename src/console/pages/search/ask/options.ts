import type { MemoryStatus, MemoryType, SearchRequest } from "../../../api/schemas.gen.ts";

export const TOP_K_DEFAULT = 5;
export const TOP_K_MAX = 20;

export type Address = Readonly<Record<string, string>>;

/** What a search may be narrowed by, in words; the same names stand in the address and, but for the day, in the request. */
export const OPTIONS = {
  fleet_ids: "Project",
  /** What is for everyone stands among the projects. */
  shared_only: "Project",
  caller_agent_id: "As the agent",
  filter_agent_id: "Author",
  memory_type: "Type",
  status: "Status",
  top_k: "How many",
  min_score: "Least score",
  valid_at: "As of",
} as const;
export type OptionName = keyof typeof OPTIONS;
// Safe: the names are those of the table.
const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];

/** The options that an address sets. */
export const setIn = (address: Address): OptionName[] => OPTION_NAMES.filter((name) => address[name]);

/** Takes every option off. */
export const NO_OPTIONS: Readonly<Record<OptionName, null>> = {
  fleet_ids: null,
  shared_only: null,
  caller_agent_id: null,
  filter_agent_id: null,
  memory_type: null,
  status: null,
  top_k: null,
  min_score: null,
  valid_at: null,
};

/** Names as one member of the address; a comma within a name is written by its code. */
export const joined = (names: readonly string[]): string => names.map(encodeURIComponent).join(",");

/** The names in such a member. */
export const namesIn = (member: string | undefined): string[] => (member ? member.split(",").map(decoded) : []);

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The request that an address asks for; null without a question. What it asks wrongly goes along, for the server to say what is wrong. */
export function requestIn(address: Address): SearchRequest | null {
  const query = address.q?.trim();
  if (!query) return null;
  const { shared_only, caller_agent_id, filter_agent_id, memory_type, status, top_k, min_score, valid_at } = address;
  const fleet_ids = namesIn(address.fleet_ids);
  return {
    query,
    ...(fleet_ids.length > 0 ? { fleet_ids } : {}),
    ...(shared_only ? { shared_only: true } : {}),
    ...(caller_agent_id ? { caller_agent_id } : {}),
    ...(filter_agent_id ? { filter_agent_id } : {}),
    // Safe: the server checks it.
    ...(memory_type ? { memory_type_filter: memory_type as MemoryType } : {}),
    // Safe: the server checks it.
    ...(status ? { status_filter: status as MemoryStatus } : {}),
    ...(top_k ? { top_k: Number(top_k) } : {}),
    ...(min_score ? { min_score: Number(min_score) } : {}),
    ...(valid_at ? { valid_at: endOf(valid_at) } : {}),
    // Whoever looks on does not count as somebody who recalls.
    diagnostic: true,
  };
}

/** The last moment of a day as people here have it; what is no day stays as it is. */
function endOf(day: string): string {
  const end = new Date(`${day}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? day : end.toISOString();
}

const pad = (value: number): string => String(value).padStart(2, "0");

/** A day as a date input has it. */
const dayOf = (date: Date): string => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;

/** The day before a moment. */
export function dayBefore(moment: string): string {
  const day = new Date(moment);
  day.setDate(day.getDate() - 1);
  return dayOf(day);
}

/** Days that are asked about often, by their name; a month is one of the calendar. */
export function quickDays(now_ms: number): (readonly [words: string, day: string])[] {
  const now = new Date(now_ms);
  const back = (years: number, months: number, days: number) => {
    const first = new Date(now.getFullYear() - years, now.getMonth() - months, 1);
    const length = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate();
    first.setDate(Math.min(now.getDate(), length) - days);
    return dayOf(first);
  };
  return [
    ["today", back(0, 0, 0)],
    ["a week ago", back(0, 0, 7)],
    ["a month ago", back(0, 1, 0)],
    ["a year ago", back(1, 0, 0)],
  ];
}
