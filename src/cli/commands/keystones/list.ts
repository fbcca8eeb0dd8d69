import type { Keystone } from "../../../core/schema/keystone.ts";
import { authorInWords, KeystoneList } from "../../../core/schema/keystone.ts";
import type { Cli } from "../../connect.ts";
import { plainText } from "../../output.ts";
import { sayProject } from "../../scope.ts";
import { boundBy } from "./bound-by.ts";
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
  const query = new URLSearchParams({ tenant_id, ...(project ? { fleet_id: project.name } : {}) });
  if (agent_id !== null) query.set("agent_id", agent_id);
  return call("GET", `/api/v1/keystones?${query}`);
}

function itemsOf(reply: unknown): Keystone[] {
  const found = KeystoneList.parse(reply);
  return Array.isArray(found) ? found : found.items;
}

function tellRules({ out, project }: Cli, rules: readonly Keystone[]): void {
  if (rules.length === 0) out.note("No rules yet. `cairn keystones set NAME TEXT` sets one.");
  out.table(rules, [
    { title: "NAME", value: ({ doc_id }) => plainText(doc_id) },
    { title: "WEIGHT", value: ({ data }) => String(data.weight), isRight: true },
    { title: "BINDS", value: ({ data, fleet_id }) => plainText(boundBy(data, fleet_id)) },
    { title: "SET BY", value: ({ data }) => plainText(authorInWords(data)) },
    { title: "LOCKED", value: ({ data }) => (data.locked === true ? "locked" : "") },
    { title: "RULE", value: ({ data }) => plainText(`${data.title}: ${data.content}`), isWide: true },
  ]);
  out.note(project ? `${sayProject(project)} and everyone's.` : "No project: only what binds everyone.");
}
