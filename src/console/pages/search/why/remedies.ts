import type { MemoryDetail, WhyNotReply } from "../../../api/schemas.gen.ts";
import { now } from "../../../kit/clock.ts";
import type { Changes } from "../ask/option-bar.tsx";
import type { Address } from "../ask/options.ts";
import { dayBefore, namesIn } from "../ask/options.ts";

/** A change of the options that may bring a memory in. */
export interface Remedy {
  readonly words: string;
  readonly changes: Changes;
}

/** What the options can do about the stage that a memory does not come through; nothing where they can do nothing. */
export function remediesFor(
  { stage, message, candidate }: WhyNotReply,
  memory: MemoryDetail,
  values: Address,
): Remedy[] {
  if (stage === "filters") return filterRemedies(memory, values);
  if (stage === "min_score") {
    const score = String(candidate?.score ?? 0);
    return [
      { words: "Drop the least score", changes: { min_score: null } },
      { words: `Lower it to ${score}`, changes: { min_score: score } },
    ];
  }
  if (stage === "successor") return [{ words: `Ask for what is ${memory.status}`, changes: { status: memory.status } }];
  // The server knows how many of those before it do not count.
  const top_k = stage === "top_k" ? /Raise top_k to (\d+)/.exec(message)?.[1] : undefined;
  return top_k === undefined ? [] : [{ words: `Return ${top_k}`, changes: { top_k } }];
}

/** One for each option that the memory does not fit. */
function filterRemedies(memory: MemoryDetail, values: Address): Remedy[] {
  const { memory_type, agent_id, fleet_id, status, visibility, expires_at } = memory;
  const fleets = namesIn(values.fleet_ids);
  const isOf = (option: string | undefined, own: string) => !option || option === own;
  return [
    ...(fleets.length > 0 && (fleet_id === null || !fleets.includes(fleet_id))
      ? [{ words: "Search in all projects", changes: { fleet_ids: null } }]
      : []),
    ...(isOf(values.filter_agent_id, agent_id)
      ? []
      : [{ words: "Drop the author", changes: { filter_agent_id: null } }]),
    ...(isOf(values.memory_type, memory_type) ? [] : [{ words: "Drop the type", changes: { memory_type: null } }]),
    ...(isAskedFor(memory, values) ? [] : [{ words: `Ask for what is ${status}`, changes: { status } }]),
    ...(expires_at && !values.valid_at && Date.parse(expires_at) < now.value
      ? [{ words: "Ask as of the day before it expired", changes: { valid_at: dayBefore(expires_at) } }]
      : []),
    ...(values.valid_at ? [{ words: "Ask as of now", changes: { valid_at: null } }] : []),
    ...(visibility === "scope_agent" && values.caller_agent_id !== agent_id
      ? [{ words: `Search as ${agent_id}`, changes: { caller_agent_id: agent_id } }]
      : []),
  ];
}

const FALLEN: readonly string[] = ["outdated", "cancelled", "archived", "deleted"];

/** Whether a search lets the status of a memory through; as of a day, what was overtaken later still held. */
function isAskedFor({ status }: MemoryDetail, values: Address): boolean {
  if (values.status) return values.status === status;
  return !FALLEN.includes(status) || Boolean(values.valid_at);
}
