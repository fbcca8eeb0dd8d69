import { ContradictionsReply } from "../../../src/core/schema/contradiction.ts";
import { Memory } from "../../../src/core/schema/memory.ts";
import { StatusChanged } from "../../../src/core/schema/memory-change.ts";
import { aMemory, TENANT } from "../builders.ts";
import type { CallOptions, Client } from "./client.ts";
import { MEMORIES } from "./memories.ts";

type Fields = Readonly<Record<string, unknown>>;
type Query = NonNullable<CallOptions["query"]>;

/** What any detector takes for a clash: another version of the same database. */
export const aVersion = (version: number, of = "staging"): string => `The ${of} database runs Postgres ${version}.`;

/** What the detector made of a row it demoted: which of the two is for the rules to say. */
export const DEMOTED: readonly string[] = ["outdated", "conflicted"];

/** The calls that tests of the detector need, each expected to succeed. */
export function contradictionsApi(client: Client, tenant_id = TENANT) {
  const at = (id: string) => `${MEMORIES}/${id}`;
  return {
    write: (content: string, fields: Fields = {}): Promise<Memory> =>
      client.ok(Memory, "POST", MEMORIES, { body: aMemory({ tenant_id, content, ...fields }) }),
    patch: (id: string, body: Fields, query: Query = {}): Promise<Memory> =>
      client.ok(Memory, "PATCH", at(id), { query: { tenant_id, ...query }, body }),
    setStatus: (id: string, status: string): Promise<StatusChanged> =>
      client.ok(StatusChanged, "PATCH", `${at(id)}/status`, { query: { tenant_id }, body: { status } }),
    contradictions: (id: string, query: Query = {}): Promise<ContradictionsReply> =>
      client.ok(ContradictionsReply, "GET", `${at(id)}/contradictions`, { query: { tenant_id, ...query } }),
  };
}
