import type { WhyNotChange } from "../../../api/schemas.gen.ts";
import type { Changes } from "../ask/option-bar.tsx";
import { dayBefore } from "../ask/options.ts";

/** A change of the options that may bring a memory in. */
interface Remedy {
  readonly words: string;
  readonly changes: Changes;
}

/** What to offer for the members of a search that the server would set otherwise; nothing where none has an option here. */
export function remediesFor(change: WhyNotChange): Remedy[] {
  const { caller_agent_id, filter_agent_id, fleet_ids, shared_only, memory_type_filter, status_filter, valid_at } =
    change;
  const { min_score, top_k } = change;
  const all: (Remedy | false | undefined)[] = [
    (fleet_ids === null || shared_only === null) && {
      words: "Search in all projects",
      changes: { fleet_ids: null, shared_only: null },
    },
    filter_agent_id === null && { words: "Drop the author", changes: { filter_agent_id: null } },
    memory_type_filter === null && { words: "Drop the type", changes: { memory_type: null } },
    status_filter && { words: `Ask for what is ${status_filter}`, changes: { status: status_filter } },
    valid_at
      ? { words: "Ask as of the day before it expired", changes: { valid_at: dayBefore(valid_at) } }
      : valid_at === null && { words: "Ask as of now", changes: { valid_at: null } },
    caller_agent_id !== undefined && { words: `Search as ${caller_agent_id}`, changes: { caller_agent_id } },
    min_score !== undefined && { words: "Drop the least score", changes: { min_score: null } },
    min_score !== undefined && { words: `Lower it to ${min_score}`, changes: { min_score: String(min_score) } },
    top_k !== undefined && { words: `Return ${top_k}`, changes: { top_k: String(top_k) } },
  ];
  return all.flatMap((remedy) => remedy || []);
}
