import { KeystoneRemoved, KeystoneWritten } from "../../../core/schema/keystone.ts";
import type { RulePlace } from "../../../core/schema/keystones/place.ts";
import type { Cli, CommonOptions } from "../../connect.ts";
import { plainText } from "../../output.ts";
import { sayProject, withProject } from "../../scope.ts";
import type { NamedRule } from "./place.ts";
import { placeAsked, placeOfCommand, placing, ruleThatSaid } from "./place.ts";

export interface RuleOptions extends CommonOptions {
  readonly title?: string;
  readonly weight?: string;
  readonly lock?: boolean;
}

interface NewRule {
  readonly name: string;
  readonly text: string;
  readonly options: RuleOptions;
}

/** Sets a rule of the project, of one agent, or of everyone, and says which one it replaces; those of its name elsewhere stay. */
export async function setRule(cli: Cli, { name, text, options }: NewRule): Promise<void> {
  const { call, out, tenant_id } = cli;
  const { weight = "med", lock } = options;
  const place = placeOfCommand(cli, options);
  const body = {
    tenant_id,
    doc_id: name,
    title: options.title ?? name,
    content: text,
    weight: /^\d+$/.test(weight) ? Number(weight) : weight,
    ...(lock === true ? { locked: true } : {}),
    ...placeAsked(place),
  };
  const reply = await call("POST", "/api/v1/keystones", body);
  if (out.isJson) return out.json(withProject(cli, reply));
  out.line(name);
  const { replaced } = KeystoneWritten.parse(reply);
  if (replaced) out.note(`Replaced ${ruleThatSaid(replaced)}.`);
  out.note(bindsWhom(cli, place));
}

function bindsWhom({ project }: Cli, { agent_id }: RulePlace): string {
  if (project)
    return `${sayProject(project)}: binds ${agent_id === null ? "whoever works in it" : plainText(agent_id)}.`;
  return agent_id === null ? "Binds everyone." : `Binds ${plainText(agent_id)} wherever it works.`;
}

/** Removes the rule of the project, of one agent, or of everyone, and no other of its name. */
export async function removeRule(cli: Cli, { name, options }: NamedRule): Promise<void> {
  const { out, tenant_id } = cli;
  const place = placeOfCommand(cli, options);
  const { place: isJust, ...asked } = placeAsked(place);
  const query = new URLSearchParams({ tenant_id, ...asked, place: String(isJust) });
  const remove = placing(cli, name, place, "rm");
  const reply = await remove("DELETE", `/api/v1/keystones/${encodeURIComponent(name)}?${query}`);
  if (out.isJson) return out.json(withProject(cli, reply));
  out.line(name);
  const { removed } = KeystoneRemoved.parse(reply);
  if (removed) out.note(`Removed ${ruleThatSaid(removed)}.`);
}

/** Locks the rule of the project, of one agent, or of everyone against all but administrators, or opens it again. */
export const lockRule =
  (locked: boolean) =>
  async (cli: Cli, { name, options }: NamedRule): Promise<void> => {
    const { out, tenant_id } = cli;
    const place = placeOfCommand(cli, options);
    const lock = placing(cli, name, place, locked ? "lock" : "unlock");
    const body = { tenant_id, locked, ...placeAsked(place) };
    const reply = await lock("POST", `/api/v1/keystones/${encodeURIComponent(name)}/lock`, body);
    if (out.isJson) return out.json(reply);
    out.line(plainText(name));
    out.note(locked ? "Locked: only administrators change or remove it." : "Open to whoever may set rules.");
  };
