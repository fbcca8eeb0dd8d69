import { isJsonObject } from "../../core/kernel/json.ts";
import { spelledOut } from "../../core/kernel/quoting/unseen.ts";
import { preview } from "../../core/kernel/text.ts";
import type { GoverningKind } from "../../core/schema/keeping/transfer.ts";
import { GOVERNING_KINDS, isGoverning } from "../../core/schema/keeping/transfer.ts";
import type { ReadLine } from "../../formats/reader.ts";

/** Of each kind that is listed one by one. */
const LISTED_MAX = 200;
const LINE_LENGTH = 200;

/** What a source brings that says what agents are told and may do: how much of each kind, and what it says. */
export interface Plan {
  readonly counts: Readonly<Partial<Record<GoverningKind, number>>>;
  readonly lines: readonly string[];
}

/** Gathers the plan of a source while it is read. */
export function createPlan(): Plan & { add(line: ReadLine): void } {
  const counts: Partial<Record<GoverningKind, number>> = {};
  const lines: string[] = [];
  return {
    counts,
    lines,
    add: (line) => {
      if (!("record" in line) || !isGoverning(line.record)) return;
      // Its members are looked at as they come: a server reads it against the schema later.
      const sent: Sent & { readonly record: GoverningKind } = { ...line.record };
      const count = (counts[sent.record] ?? 0) + 1;
      counts[sent.record] = count;
      if (count <= LISTED_MAX)
        lines.push(preview(spelledOut(`${sent.record}: ${SAYS[sent.record](sent)}`.replace(/\s+/g, " ")), LINE_LENGTH));
      if (count === LISTED_MAX + 1) lines.push(`${sent.record}: and more of them`);
    },
  };
}

type Sent = Readonly<Record<string, unknown>>;

const SAYS: Readonly<Record<GoverningKind, (sent: Sent) => string>> = {
  settings: ({ tree }) => JSON.stringify(tree ?? null),
  agent: ({ agent_id, trust_level, fleet_id }) =>
    `${said(agent_id)}, trust ${said(trust_level ?? 1)}${fleet_id ? `, at home in ${said(fleet_id)}` : ""}`,
  keystone: ({ doc_id, data }) => {
    const { scope, title, content } = membersOf(data);
    return `${said(doc_id)} (binds ${said(scope)}) ${said(title)}: ${said(content)}`;
  },
  skill: ({ doc_id, data, approval }) => {
    const { status, description } = membersOf(data);
    const word = isJsonObject(approval) ? "approved" : "not approved";
    return `${said(doc_id)} (${typeof status === "string" ? `${status}, ` : ""}${word}) ${said(description)}`;
  },
};

const membersOf = (data: unknown): Sent => (isJsonObject(data) ? data : {});
const said = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? null));

const CALLED: Readonly<Record<GoverningKind, readonly [one: string, many: string]>> = {
  settings: ["set of settings", "sets of settings"],
  agent: ["agent with its trust", "agents with their trust"],
  keystone: ["keystone", "keystones"],
  skill: ["skill", "skills"],
};

/** How many of each kind, a line each. */
export const sayCounts = (counts: Plan["counts"]): string[] =>
  GOVERNING_KINDS.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [`${count} ${CALLED[kind][count === 1 ? 0 : 1]}`];
  });
