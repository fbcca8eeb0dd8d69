import { nameOfFleet, shownFleet } from "../../api/projects.ts";
import type { Document, Keystone, KeystonePlace, KeystoneWrite } from "../../api/schemas.gen.ts";
import { shellWord } from "../../kit/curl.ts";

/** The collection that holds rules. */
export const RULES = "_keystones";
export const RULES_SERVED_MAX = 50;
export const WEIGHTS = { low: 25, med: 50, high: 100 } as const;
export const SCOPES = ["tenant", "fleet", "agent"] as const satisfies readonly Keystone["data"]["scope"][];

/** As much of a rule as says whom it binds. */
interface Bound {
  readonly fleet_id: string | null;
  readonly data: Pick<Keystone["data"], "scope" | "agent_id">;
}

/** A document of the collection of rules as the rule that it is. Safe: only the operation that writes rules writes there. */
export const asRule = ({ data, ...document }: Document): Keystone => ({ ...document, data: data as Keystone["data"] });

/** The order in which rules are served: heaviest first, then the newest change, then by name. */
export const heaviestFirst = (a: Keystone, b: Keystone): number =>
  b.data.weight - a.data.weight || compare(b.updated_at, a.updated_at) || compare(a.doc_id, b.doc_id);

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Whom a rule binds, in words. */
export const boundBy = ({ data, fleet_id }: Bound): string =>
  ({
    tenant: "everyone",
    fleet: `project ${shownFleet(fleet_id)}`,
    agent: `agent ${data.agent_id}${fleet_id === null ? "" : ` in project ${nameOfFleet(fleet_id)}`}`,
  })[data.scope];

/** Where a rule stands: its name may stand elsewhere as well. */
export const placeOf = ({ data, fleet_id }: Bound): KeystonePlace => ({
  scope: data.scope,
  fleet_id,
  agent_id: data.agent_id ?? null,
});

/** Where a rule would stand that is written so; a field that is empty names nothing. */
export const placeOfWritten = ({ scope, fleet_id, agent_id }: KeystoneWrite): KeystonePlace => ({
  scope,
  fleet_id: fleet_id || null,
  agent_id: agent_id || null,
});

export const isSamePlace = (a: KeystonePlace, b: KeystonePlace): boolean =>
  a.scope === b.scope && a.fleet_id === b.fleet_id && a.agent_id === b.agent_id;

/** Flags of `cairn keystones` that name a place. */
export function placeFlags({ fleet_id, agent_id }: KeystonePlace): string {
  const project = fleet_id === null ? " --no-scope" : ` --project ${shellWord(fleet_id)}`;
  return `${project}${agent_id === null ? "" : ` --agent ${shellWord(agent_id)}`}`;
}

/** What writes a rule as it is; the server itself notes who does. */
export function asWritten({ doc_id, fleet_id, data }: Keystone): KeystoneWrite {
  const { set_by: _set_by, author: _author, set_over: _set_over, proposed_by: _proposed_by, ...rule } = data;
  return { doc_id, ...rule, ...(fleet_id === null ? {} : { fleet_id }) };
}

/** Who set a rule, in words. */
export function authorOf({ data: { set_by, author = "", set_over, proposed_by } }: Keystone): string {
  if (set_by === undefined) return "somebody who is not recorded";
  if (set_by === "agent") return `agent ${author}${overWhat(set_over)}`;
  return proposed_by === undefined ? author : `${author}, proposed by agent ${proposed_by}`;
}

/** By which door it came, where that says something. */
export const overWhat = (door: Keystone["data"]["set_over"]): string => (door === "mcp" ? " over MCP" : "");

/** Characters that an agent reads of a rule. */
export const lengthOf = ({ data }: Keystone): number => [...data.title].length + [...data.content].length;
