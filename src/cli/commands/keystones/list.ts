import type { Keystone } from "../../../core/schema/keystone.ts";
import { authorInWords, KeystoneList } from "../../../core/schema/keystone.ts";
import { cutTo } from "../../columns.ts";
import type { Cli } from "../../connect.ts";
import { plainText } from "../../output.ts";
import { sayProject } from "../../scope.ts";
import { boundBy } from "./place.ts";
import { askProposals, tellProposals } from "./proposals.ts";

/** The rules that bind in a project. */
export async function listRules(cli: Cli): Promise<void> {
  const reply = await askRules(cli);
  if (cli.out.isJson) return cli.out.json(reply);
  tellRules(cli, itemsOf(reply));
  const { count } = await askProposals(cli);
  if (count > 0) cli.out.note(`${count} proposed: \`cairn keystones\` shows what.`);
}

/** The same, and what agents would change of the rules. */
export async function listAll(cli: Cli): Promise<void> {
  const [reply, { items: proposals }] = await Promise.all([askRules(cli), askProposals(cli)]);
  if (cli.out.isJson) return cli.out.json({ keystones: itemsOf(reply), proposals });
  tellRules(cli, itemsOf(reply));
  tellProposals(cli.out, proposals);
}

function askRules({ call, project, agent_id, tenant_id }: Cli): Promise<unknown> {
  const query = new URLSearchParams({ tenant_id, ...(project ? { fleet_id: project.id } : {}) });
  if (agent_id !== null) query.set("agent_id", agent_id);
  return call("GET", `/api/v1/keystones?${query}`);
}

function itemsOf(reply: unknown): Keystone[] {
  const found = KeystoneList.parse(reply);
  return Array.isArray(found) ? found : found.items;
}

/** Columns that whom a rule binds, and who set it, take of a terminal. */
const SHORT = 20;

/** What a rule says; one that was given no title goes by its name, which stands beside it. */
const ruleInWords = ({ doc_id, data: { title, content } }: Keystone): string =>
  title === doc_id ? content : `${title}: ${content}`;

function tellRules({ out, project, agent_id }: Cli, rules: readonly Keystone[]): void {
  if (rules.length === 0) out.note("No rules yet. `cairn keystones set NAME TEXT` sets one.");
  // On a terminal the rule itself has the room: it is what somebody looks for.
  const short = (text: string) => (out.isTerminal ? cutTo(plainText(text), SHORT) : plainText(text));
  const isLocked = !out.isTerminal || rules.some(({ data }) => data.locked === true);
  const locked = { title: "LOCKED", value: ({ data }: Keystone) => (data.locked === true ? "locked" : "") };
  out.table(rules, [
    { title: "NAME", value: ({ doc_id }) => plainText(doc_id) },
    { title: "WEIGHT", value: ({ data }) => String(data.weight), isRight: true },
    { title: "BINDS", value: ({ data, fleet_id }) => short(boundBy(data, fleet_id)) },
    { title: "SET BY", value: ({ data }) => short(authorInWords(data)) },
    ...(isLocked ? [locked] : []),
    { title: "RULE", value: (rule) => plainText(ruleInWords(rule)), isWide: true },
  ]);
  const own = agent_id === null ? "" : `, and ${plainText(agent_id)} wherever it works`;
  out.note(project ? `${sayProject(project)} and everyone's.` : `No project: only what binds everyone${own}.`);
}
