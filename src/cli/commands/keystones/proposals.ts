import { spelledOut } from "../../../core/kernel/quoting/unseen.ts";
import type { RuleText } from "../../../core/schema/keystone.ts";
import type { KeystoneProposal } from "../../../core/schema/keystone-proposal.ts";
import { KeystoneProposalList } from "../../../core/schema/keystone-proposal.ts";
import { isSamePlace } from "../../../core/schema/keystones/place.ts";
import { Refused } from "../../call.ts";
import type { Cli } from "../../connect.ts";
import type { Output } from "../../output.ts";
import { plainText } from "../../output.ts";
import { printError } from "../../print.ts";
import { hinting } from "../../refusal.ts";
import { isSomebodyThere, saysYes } from "../ask.ts";
import type { NamedRule } from "./place.ts";
import { boundBy, howMeant, placeAsked, placeOfCommand } from "./place.ts";

const PROPOSALS = "/api/v1/keystone-proposals";

/** What agents would change of the rules; nothing by a server that is older than proposals. */
export async function askProposals({ call, tenant_id }: Cli): Promise<KeystoneProposalList> {
  try {
    return KeystoneProposalList.parse(await call("GET", `${PROPOSALS}?${new URLSearchParams({ tenant_id })}`));
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return { count: 0, items: [] };
    throw error;
  }
}

/** Lists them, each with its author and what it would change. */
export function tellProposals(out: Output, proposals: readonly KeystoneProposal[]): void {
  if (proposals.length === 0) return;
  out.line("\nProposed; they bind nobody until a person accepts them:");
  for (const proposal of proposals) for (const line of linesOf(out, proposal)) out.line(line);
  out.note("`cairn keystones accept NAME` on a terminal makes one the rule, `cairn keystones dismiss NAME` drops it.");
}

const CHANGES = { new: "a new rule", change: "a change", removal: "the removal of a rule" } as const;

function linesOf(out: Output, proposal: KeystoneProposal): string[] {
  const { doc_id, fleet_id, rule, current, change, proposed_by, proposed_over, updated_at } = proposal;
  const by = `${plainText(proposed_by)}${proposed_over === "mcp" ? " over MCP" : ""}`;
  const was = current && `  was: ${ruleLine(current.data, current.fleet_id)}`;
  const is = rule && `  ${change === "change" ? "now" : "new"}: ${ruleLine(rule, fleet_id)}`;
  return [`${plainText(doc_id)}: ${CHANGES[change]}, by ${by}, ${out.date(updated_at)}`, was, is].filter(
    (line) => line !== null,
  );
}

/** What nobody sees is seen here: whoever accepts a rule accepts all of it. */
const ruleLine = (rule: RuleText, fleet_id: string | null): string =>
  spelledOut(
    `${rule.title}: ${rule.content} (binds ${boundBy(rule, fleet_id)}, weight ${rule.weight})`.replace(/\s+/g, " "),
  );

/**
 * Makes what was proposed the rule, once somebody at the terminal who has read it says yes. There is no flag instead: it is
 * for a person, and what an agent runs has no terminal.
 */
export async function acceptProposal(cli: Cli, { name, options }: NamedRule): Promise<void> {
  const { out, tenant_id } = cli;
  if (!isSomebodyThere(out))
    throw new Refused(
      "Only a person accepts a proposed rule, and nobody is at a terminal here, so that nothing was changed. Run " +
        `\`cairn keystones accept ${plainText(name)}\` in a terminal, or use the page Keystones of the console.`,
      "PERSON_REQUIRED",
      403,
    );
  const proposal = await proposalMeant(cli, { name, options }, "accept");
  if (!proposal) throw new Refused(`No change of rule '${plainText(name)}' is proposed. ${HINT}`, "NOT_FOUND", 404);
  // With --json, too: nobody says yes to what was not shown.
  printError(`${linesOf(out, proposal).join("\n")}\n`);
  if (!(await saysYes(proposal.rule ? "Make this the rule?" : "Remove this rule?"))) {
    process.exitCode = 1;
    return out.note("It still waits, and nothing was changed.");
  }
  const { version, place } = proposal;
  await decide(cli, name, "accept", { tenant_id, version, ...placeAsked(place) });
}

/** Drops what was proposed. */
export async function dismissProposal(cli: Cli, { name, options }: NamedRule): Promise<void> {
  const { tenant_id } = cli;
  const proposal = await proposalMeant(cli, { name, options }, "dismiss");
  await decide(cli, name, "dismiss", { tenant_id, ...(proposal ? placeAsked(proposal.place) : {}) });
}

/** What is proposed of a name: of several that which is about the place of the command. Throws Refused where none of several is. */
async function proposalMeant(
  cli: Cli,
  { name, options }: NamedRule,
  verb: "accept" | "dismiss",
): Promise<KeystoneProposal | undefined> {
  const named = (await askProposals(cli)).items.filter(({ doc_id }) => doc_id === name);
  const here = named.find(({ place }) => isSamePlace(place, placeOfCommand(cli, options)));
  if (here || named.length <= 1) return here ?? named[0];
  const places = named.map(({ place }) => place);
  const told = `Several changes of rules '${plainText(name)}' are proposed: ${howMeant(places, name, verb)}.`;
  throw new Refused(told, "CONFLICT", 409, { places });
}

const HINT = "`cairn keystones` shows what is.";

async function decide(cli: Cli, name: string, decision: "accept" | "dismiss", body: object): Promise<void> {
  const { out } = cli;
  const reply = await hinting(cli.call, HINT)("POST", `${PROPOSALS}/${encodeURIComponent(name)}/${decision}`, body);
  if (out.isJson) return out.json(reply);
  out.line(plainText(name));
}
