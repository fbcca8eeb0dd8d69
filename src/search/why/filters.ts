import { toTimestamp } from "../../core/kernel/clock.ts";
import type { MemoryFilter, ReadScope } from "../../core/ports/memory-filter.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import type { WhyNotChange } from "../../core/schema/observing/why-not.ts";
import { findSuccessors } from "../successors.ts";
import type { Case, Outcome } from "./case.ts";
import { failed, passed, quoted } from "./case.ts";

interface Told {
  readonly detail: string;
  readonly next: string;
  readonly change: WhyNotChange;
}

/** What a memory is held against, by each member of the filter of a search. */
type Telling = {
  readonly [K in keyof MemoryFilter]?: (memory: StoredMemory, asked: NonNullable<MemoryFilter[K]>) => Told;
};

const TELLING: Telling = {
  read_scope: (memory, scope) => ({
    detail: `${whoSees(memory)}, and the search ran as ${reader(scope)}.`,
    next: "Search as an agent that sees it, by caller_agent_id.",
    change: memory.visibility === "scope_agent" ? { caller_agent_id: memory.agent_id } : {},
  }),
  written_by: ({ agent_id }, asked) => ({
    detail: `Its author is '${agent_id}', and the search was for '${asked}'.`,
    next: `Leave filter_agent_id out, or ask for '${agent_id}'.`,
    change: { filter_agent_id: null },
  }),
  fleets: ({ fleet_id }, { ids }) =>
    ids.length === 0
      ? {
          detail: `It is of ${fleetOf(fleet_id)}, and the search was for what belongs to every fleet.`,
          next: "Leave shared_only out, or name its fleet in fleet_ids instead.",
          change: { shared_only: null },
        }
      : {
          detail: `It is of ${fleetOf(fleet_id)}, and the search was for ${quoted(ids)}.`,
          next: "Leave fleet_ids out, or name its fleet there.",
          change: { fleet_ids: null },
        },
  memory_types: ({ memory_type }, asked) => ({
    detail: `Its type is '${memory_type}', and the search was for ${quoted(asked)}.`,
    next: `Leave memory_type_filter out, or ask for '${memory_type}'.`,
    change: { memory_type_filter: null },
  }),
  statuses: ({ status }, asked) => ({
    detail: `Its status is '${status}', and the search was for ${quoted(asked)}.`,
    next: `Search with status_filter '${status}'.`,
    change: { status_filter: status },
  }),
  unexpired_at: ({ expires_at }, asked) => ({
    detail: `It expired at ${expires_at}, and the search was for what had not by ${asked}.`,
    next: "Search with a valid_at before that, or write it anew.",
    change: expires_at === null ? {} : { valid_at: toTimestamp(Date.parse(expires_at) - 1) },
  }),
  happened: ({ ts_valid_start, created_at }, { from, until }) => ({
    detail: `It happened at ${ts_valid_start ?? created_at}, or when its writer said, and the search was for what happened from ${from ?? "any time"} to ${until ?? "any time"}.`,
    next: "Leave happened_from and happened_to out, or widen them.",
    change: { happened_from: null, happened_to: null },
  }),
  valid_at: ({ ts_valid_start, ts_valid_end, created_at, status }, asked) => ({
    detail: `It holds from ${ts_valid_start ?? created_at} until ${ts_valid_end ?? "no end that is named"}, its status is '${status}', and the search was for what held at ${asked}.`,
    next: "Search with another valid_at, or without one.",
    change: { valid_at: null },
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
    const said = tell(member, one.memory, filter);
    told.push(member === "statuses" ? { ...said, detail: `${said.detail}${await successorOf(one)}` } : said);
  }
  // Where two change valid_at, the first, of what expired, is the one that helps.
  const change: WhyNotChange = Object.assign({}, ...told.map((one) => one.change).reverse());
  return failed(
    told.map(({ detail }) => detail).join(" "),
    told.map(({ next }) => next).join(" "),
    Object.keys(change).length === 0 ? null : change,
  );
}

const isWithin = async ({ ctx, memory }: Case, filter: MemoryFilter): Promise<boolean> =>
  (await ctx.storage.memories.count({ ...filter, ids: [memory.id] })) === 1;

function tell<K extends keyof MemoryFilter>(member: K, memory: StoredMemory, filter: MemoryFilter): Told {
  const asked = filter[member];
  const telling: Telling[K] = TELLING[member];
  if (asked == null || !telling)
    return { detail: `The search was narrowed by ${member}.`, next: `Leave ${member} out.`, change: {} };
  return telling(memory, asked);
}

/** What took the place of the memory, as far as the search sees it. */
async function successorOf({ ctx, memory, findings: { plan } }: Case): Promise<string> {
  const ids = (await findSuccessors(ctx, plan, [memory.id])).get(memory.id) ?? [];
  return ids.length === 0 ? "" : ` It is superseded by ${ids.join(", ")}.`;
}
