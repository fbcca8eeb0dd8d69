import { sha256 } from "../../core/kernel/hash.ts";
import { isJsonObject } from "../../core/kernel/json.ts";
import { spelledOut } from "../../core/kernel/quoting/unseen.ts";
import { counted } from "../../core/kernel/text.ts";
import type { GoverningKind } from "../../core/schema/keeping/transfer.ts";
import { GOVERNING_KINDS, isGoverning } from "../../core/schema/keeping/transfer.ts";
import { KEYSTONE_PROPOSALS } from "../../core/schema/keystone-proposal.ts";
import type { ReadLine } from "../../formats/reader.ts";

/**
 * What a source brings that says what agents are told and may do: how much of each kind, and all that it says. Nothing is cut
 * short: whoever says yes to it says yes to the rest as well.
 */
export interface Plan {
  readonly counts: Readonly<Partial<Record<GoverningKind, number>>>;
  readonly lines: readonly string[];
  /** The source as it was when it was planned: what governs and is in no plan is a fault of its entry. */
  asPlanned(lines: AsyncIterable<ReadLine>): AsyncIterable<ReadLine>;
}

/** Gathers the plan of a source while it is read. */
export function createPlan(): Plan & { add(line: ReadLine): void } {
  const counts: Partial<Record<GoverningKind, number>> = {};
  const lines: string[] = [];
  const planned = new Set<string>();
  return {
    counts,
    lines,
    add: (line) => {
      if (!("record" in line) || !isGoverning(line.record)) return;
      // Its members are looked at as they come: a server reads it against the schema later.
      const sent: Sent & { readonly record: GoverningKind } = { ...line.record };
      counts[sent.record] = (counts[sent.record] ?? 0) + 1;
      lines.push(onOneLine(`${sent.record}: ${SAYS[sent.record](sent)}`));
      if (sent.record === "skill") lines.push(...linesOfSkill(sent));
      planned.add(digestOf(sent));
    },
    asPlanned: async function* (read) {
      for await (const line of read) {
        const isUnplanned = "record" in line && isGoverning(line.record) && !planned.has(digestOf(line.record));
        yield isUnplanned ? { place: line.place, fault: CHANGED } : line;
      }
    },
  };
}

const CHANGED = "The source has changed since it was shown, and this was not in it. Import it again to be shown it.";

type Sent = Readonly<Record<string, unknown>>;

const digestOf = (record: object): string => sha256(JSON.stringify(record));
const onOneLine = (text: string): string => spelledOut(text.replace(/\s+/g, " "));

const SAYS: Readonly<Record<GoverningKind, (sent: Sent) => string>> = {
  settings: ({ tree }) => JSON.stringify(tree ?? null),
  projects: ({ projects }) => JSON.stringify(projects ?? null),
  agent: ({ agent_id, trust_level, fleet_id }) =>
    `${said(agent_id)}, trust ${said(trust_level ?? 1)}${fleet_id ? `, at home in ${said(fleet_id)}` : ""}`,
  keystone: ({ collection, doc_id, fleet_id, data }) => {
    const { rule, proposed_by, ...text } = membersOf(data);
    if (collection !== KEYSTONE_PROPOSALS) return sayRule(doc_id, { fleet_id, ...text });
    const change = isJsonObject(rule) ? sayRule(doc_id, { fleet_id, ...rule }) : `the removal of ${said(doc_id)}`;
    return `proposed by ${said(proposed_by)}: ${change}`;
  },
  skill: ({ doc_id, data, approval }) => {
    const { status, description } = membersOf(data);
    const word = isJsonObject(approval) ? "approved" : "not approved";
    return `${said(doc_id)} (${typeof status === "string" ? `${status}, ` : ""}${word}) ${said(description)}`;
  },
};

function sayRule(doc_id: unknown, { scope, agent_id, fleet_id, title, content }: Sent): string {
  const whom = [scope, agent_id, fleet_id].filter((one) => one != null).map(said);
  return `${said(doc_id)} (binds ${whom.join(" ")}) ${said(title)}: ${said(content)}`;
}

/** What a skill holds besides, as `cairn skills approve` shows it; set in, so that no line of it looks like one of the plan. */
function linesOfSkill({ data }: Sent): string[] {
  const { content, ...others } = membersOf(data);
  const texts = [JSON.stringify(others, null, 2), "", ...(content === undefined ? [] : [said(content)])];
  return texts.flatMap((text) => spelledOut(text).split("\n")).map((line) => `    ${line}`);
}

const membersOf = (data: unknown): Sent => (isJsonObject(data) ? data : {});
const said = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? null));

const CALLED: Readonly<Record<GoverningKind, readonly [one: string, many: string]>> = {
  settings: ["set of settings", "sets of settings"],
  projects: ["list of projects", "lists of projects"],
  agent: ["agent with its trust", "agents with their trust"],
  keystone: ["keystone", "keystones"],
  skill: ["skill", "skills"],
};

/** How many of each kind, a line each. */
export const sayCounts = (counts: Plan["counts"]): string[] =>
  GOVERNING_KINDS.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [counted(count, ...CALLED[kind])];
  });
