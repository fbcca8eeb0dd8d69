import { spelledOut } from "../../core/kernel/quoting/unseen.ts";
import { counted } from "../../core/kernel/text.ts";
import type { ListedSkill } from "../../core/schema/skill.ts";
import { InboxMoved, slugOf } from "../../core/schema/skill.ts";
import { Whoami } from "../../core/schema/system.ts";
import type { CallLocal } from "../call.ts";
import { requireSomebody, saysYes } from "../commands/ask.ts";
import type { Cli } from "../connect.ts";
import { plainText } from "../output.ts";
import { printError } from "../print.ts";
import { UsageError } from "../usage.ts";
import { isSound, listedSkills } from "./list.ts";

/** What each skill is, whether it is delivered, and how those that are not come to be. */
export async function showSkills({ call, out }: Cli, fleet: string | undefined): Promise<void> {
  const skills = await listedSkills(call, fleet ?? null);
  if (out.isJson) return out.json({ items: skills });
  if (skills.length === 0) out.note("No skills yet. `cairn docs put skills NAME JSON` writes one.");
  out.table(skills, [
    { title: "NAME", value: ({ doc_id }) => plainText(doc_id) },
    { title: "DELIVERED", value: (skill) => (isSound(skill) ? "yes" : "no") },
    { title: "WORD", value: wordOn },
    { title: "DESCRIPTION", value: ({ data }) => plainText(textOf(data.description)), isWide: true },
  ]);
  const hint = hintFor(skills);
  if (hint !== null) out.note(hint);
}

const WAYS = {
  written: "written by a person",
  approved: "approved",
  auto_promoted: "promoted by the settings",
} as const;

const WAITS = { approval: "nobody's yet", rewriting: "to be written again" } as const;

function wordOn(skill: ListedSkill): string {
  if (skill.waits_for) return WAITS[skill.waits_for];
  return skill.approval ? WAYS[skill.approval.way] : plainText(textOf(skill.data.status));
}

const NAMED_MAX = 10;

/** What to do about skills that are not delivered, and could be; null where there are none. */
export function hintFor(skills: readonly ListedSkill[]): string | null {
  const waiting = (what: ListedSkill["waits_for"]) => skills.filter(({ waits_for }) => waits_for === what);
  const hints = [
    hintOf(waiting("approval"), {
      why: "as no person has approved the present text",
      way: "`cairn skills approve NAME` shows one and asks.",
    }),
    hintOf(waiting("rewriting"), {
      why: "written before the skill factory was on",
      way: "`cairn docs get skills NAME` shows one; `cairn docs put skills NAME JSON` writes it again, with name, slug, domain, kind (create) and source (manual) as well, and then it can be approved.",
    }),
  ];
  return hints.filter((hint) => hint !== null).join("\n") || null;
}

function hintOf(waiting: readonly ListedSkill[], { why, way }: { why: string; way: string }): string | null {
  if (waiting.length === 0) return null;
  const names = waiting.slice(0, NAMED_MAX).map(({ doc_id }) => plainText(doc_id));
  const more = waiting.length > NAMED_MAX ? ` and ${waiting.length - NAMED_MAX} more` : "";
  const are = `${counted(waiting.length, "skill")} ${waiting.length === 1 ? "is" : "are"}`;
  return `${are} not delivered, ${why}: ${names.join(", ")}${more}. ${way}`;
}

/** How a person says that a skill is to be delivered. */
export interface Approving {
  readonly name: string;
  /** Without being asked: only for whoever has a key. */
  readonly yes: boolean;
}

/** Shows a skill as it is, asks, and has it delivered from now on. Throws UsageError where nobody can be asked, Refused. */
export async function approve(cli: Cli, { name, yes }: Approving): Promise<void> {
  const { call, out, tenant_id } = cli;
  // Whoever runs a command on the owner's machine may be an agent: a person sits at a terminal, or shows a key.
  if (yes) await requireKey(call);
  else
    requireSomebody(
      out,
      "Nobody can be asked here: run it on a terminal, or with an administrator's CAIRN_KEY and --yes.",
    );
  const skill = theOne(await listedSkills(call, null), name);
  // With --json, too: nobody says yes to what was not shown.
  printError(`${textsOf(skill).join("\n")}\n`);
  const body = { tenant_id, doc_id: skill.doc_id, digest: skill.digest };
  // Nobody is asked for what would be refused. A server that does not know of dry runs would deliver it.
  if (skill.waits_for !== undefined) await call("POST", APPROVE, { ...body, dry_run: true });
  if (!yes && !(await saysYes("Deliver this to agents as it is?"))) {
    process.exitCode = 1;
    return out.note("It is not delivered, and nothing was changed.");
  }
  const reply = InboxMoved.parse(await call("POST", APPROVE, body));
  if (out.isJson) return out.json(reply);
  out.line(reply.slug);
  out.note("Delivered from now on; a change of it ends that. `cairn skills sync` writes the files.");
}

const APPROVE = "/api/v1/skills/approve";

async function requireKey(call: CallLocal): Promise<void> {
  const { auth_source } = Whoami.parse(await call("GET", "/api/v1/whoami"));
  if (auth_source === "api-key") return;
  throw new UsageError("--yes is for an administrator's key in CAIRN_KEY. Without one, approve on a terminal.");
}

/** By its whole name, else by its slug where only one has it. Throws UsageError. */
function theOne(skills: readonly ListedSkill[], name: string): ListedSkill {
  const exact = skills.filter(({ doc_id }) => doc_id === name);
  const found = exact.length > 0 ? exact : skills.filter(({ doc_id }) => slugOf(doc_id) === name);
  const [skill, ...others] = found;
  if (!skill)
    throw new UsageError(`There is no skill '${plainText(name)}'. \`cairn skills list\` shows those there are.`);
  if (others.length === 0) return skill;
  throw new UsageError(
    `Several skills are called so: name one of ${found.map(({ doc_id }) => plainText(doc_id)).join(", ")}.`,
  );
}

/** Everything that a skill holds, with what nobody would see spelled out. */
function textsOf({ doc_id, data }: ListedSkill): string[] {
  const { content, ...others } = data;
  return [doc_id, JSON.stringify(others, null, 2), "", textOf(content), ""].map(spelledOut);
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
