import type { MemoryStatus, MemoryType, Visibility } from "../api/schemas.gen.ts";

/** Who may set a type: anyone, Cairn alone, or nobody, as it is stored as another. */
const SET_BY: Readonly<Record<MemoryType, "anyone" | "cairn" | "nobody">> = {
  fact: "anyone",
  episode: "anyone",
  decision: "anyone",
  preference: "anyone",
  task: "anyone",
  plan: "anyone",
  action: "anyone",
  outcome: "cairn",
  rule: "cairn",
  insight: "cairn",
  semantic: "nobody",
  intention: "nobody",
  commitment: "nobody",
  cancellation: "nobody",
};
// Safe: the names are those of the table.
export const TYPES = Object.keys(SET_BY) as MemoryType[];
/** The types that memories are written with today. */
export const CURRENT_TYPES = TYPES.filter((type) => SET_BY[type] !== "nobody");
export const WRITABLE_TYPES = TYPES.filter((type) => SET_BY[type] === "anyone");

/** The statuses of what is not deleted, which are those that can be set. */
export const KEPT_STATUSES = [
  "active",
  "pending",
  "confirmed",
  "conflicted",
  "outdated",
  "cancelled",
  "archived",
] as const satisfies readonly MemoryStatus[];
export const STATUSES: readonly MemoryStatus[] = [...KEPT_STATUSES, "deleted"];

export const VISIBILITIES: readonly (readonly [Visibility, string])[] = [
  ["scope_agent", "its agent alone"],
  ["scope_team", "its project"],
  ["scope_org", "everyone"],
];

/** Where a memory is shown. */
export const memoryAddress = (id: string): string => `/memories?id=${encodeURIComponent(id)}`;
