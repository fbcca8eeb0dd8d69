import type { MemoryFilter, ReadScope } from "../../core/ports/memory-filter.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import { findSuccessors } from "../successors.ts";
import type { Case, Outcome } from "./case.ts";
import { failed, passed, quoted } from "./case.ts";

interface Told {
  readonly detail: string;
  readonly next: string;
}

/** What a memory is held against, by each member of the filter of a search. */
type Telling = {
  readonly [K in keyof MemoryFilter]?: (memory: StoredMemory, asked: NonNullable<MemoryFilter[K]>) => Told;
};

const TELLING: Telling = {
  read_scope: (memory, scope) => ({
    detail: `${whoSees(memory)}, and the search ran as ${reader(scope)}.`,
    next: "Search as an agent that sees it, by caller_agent_id.",
  }),
  written_by: ({ agent_id }, asked) => ({
    detail: `Its author is '${agent_id}', and the search was for '${asked}'.`,
    next: `Leave filter_agent_id out, or ask for '${agent_id}'.`,
  }),
  fleets: ({ fleet_id }, { ids }) => ({
    detail: `It is of ${fleetOf(fleet_id)}, and the search was for ${quoted(ids)}.`,
    next: "Leave fleet_ids out, or name its fleet there.",
  }),
  memory_types: ({ memory_type }, asked) => ({
    detail: `Its type is '${memory_type}', and the search was for ${quoted(asked)}.`,
    next: `Leave memory_type_filter out, or ask for '${memory_type}'.`,
  }),
  statuses: ({ status }, asked) => ({
    detail: `Its status is '${status}', and the search was for ${quoted(asked)}.`,
    next: `Search with status_filter '${status}'.`,
  }),
  unexpired_at: ({ expires_at }, asked) => ({
    detail: `It expired at ${expires_at}, and the search was for what had not by ${asked}.`,
    next: "Search with a valid_at before that, or write it anew.",
  }),
  valid_at: ({ ts_valid_start, ts_valid_end, created_at, status }, asked) => ({
    detail: `It holds from ${ts_valid_start ?? created_at} until ${ts_valid_end ?? "no end that is named"}, its status is '${status}', and the search was for what held at ${asked}.`,
    next: "Search with another valid_at, or without one.",
  }),
};

const fleetOf = (fleet_id: string | null): string => (fleet_id === null ? "no fleet" : `fleet '${fleet_id}'`);

const whoSees = ({ visibility, agent_id, fleet_id }: StoredMemory): string =>
  visibility === "scope_agent" ? `It is private to agent '${agent_id}'` : `It is of ${fleetOf(fleet_id)}`;

function reader({ agent_id, fleets }: ReadScope): string {
  const who = agent_id === null ? "no agent" : `agent '${agent_id}'`;
  if (fleets === "all") return who;
  return fleets.length === 0 ? `${who}, who reads no fleet` : `${who}, who reads fleet ${quoted(fleets)}`;
}

/** Whether the filter of the search lets the memory through; else each of its members that does not, as storage tells it. */
export async function throughFilters(one: Case): Promise<Outcome> {
  const { filter } = one.findings.plan;
  if (await isWithin(one, filter)) return passed("It is within all that the search was narrowed to.");
  const told: Told[] = [];
  // Safe: the keys of a filter are its members.
  for (const member of Object.keys(filter) as (keyof MemoryFilter)[]) {
    if (filter[member] === undefined || member === "tenant_id") continue;
    if (await isWithin(one, { tenant_id: filter.tenant_id, [member]: filter[member] })) continue;
    const { detail, next } = tell(member, one.memory, filter);
    told.push({ detail: member === "statuses" ? `${detail}${await successorOf(one)}` : detail, next });
  }
  return failed(told.map(({ detail }) => detail).join(" "), told.map(({ next }) => next).join(" "));
}

const isWithin = async ({ ctx, memory }: Case, filter: MemoryFilter): Promise<boolean> =>
  (await ctx.storage.memories.count({ ...filter, ids: [memory.id] })) === 1;

function tell<K extends keyof MemoryFilter>(member: K, memory: StoredMemory, filter: MemoryFilter): Told {
  const asked = filter[member];
  const telling: Telling[K] = TELLING[member];
  if (asked == null || !telling)
    return { detail: `The search was narrowed by ${member}.`, next: `Leave ${member} out.` };
  return telling(memory, asked);
}

/** What took the place of the memory, as far as the search sees it. */
async function successorOf({ ctx, memory, findings: { plan } }: Case): Promise<string> {
  const ids = (await findSuccessors(ctx, plan, [memory.id])).get(memory.id) ?? [];
  return ids.length === 0 ? "" : ` It is superseded by ${ids.join(", ")}.`;
}
