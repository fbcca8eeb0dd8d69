import { isAbsolute, join } from "node:path";
import { z } from "zod";
import { SLUG } from "../core/schema/common.ts";
import { DOCUMENT_LIST_MAX, Document } from "../core/schema/document.ts";
import { OrgSettings } from "../core/schema/settings.ts";
import { SKILLS, slugOf } from "../core/schema/skill.ts";
import { Whoami } from "../core/schema/system.ts";
import type { CallLocal } from "./call.ts";
import { renderSkill } from "./skill-file.ts";
import { parseRegister, registered, writeRegister } from "./skill-register.ts";
import type { Plan, Step, TargetFolder, Wanted } from "./skill-target.ts";
import { applyPlan, planTarget } from "./skill-target.ts";
import { UsageError } from "./usage.ts";

export interface SkillTargets {
  readonly targets: readonly (TargetFolder & { readonly register: boolean })[];
  /** FILE or FILE#path.of.list, for targets that are to be registered. */
  readonly register?: string | undefined;
  /** What `~` stands for. */
  readonly home: string;
}

interface Options {
  /** Says what would be done, and does nothing. */
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly fleet?: string;
}

/** Brings the targets in line with the tenant's active skills; a line for each step. Throws UsageError, SkillSyncError. */
export async function syncSkills(
  call: CallLocal,
  options: Options,
  settings: SkillTargets,
): Promise<{ readonly lines: readonly string[]; readonly remark: string }> {
  if (settings.targets.length === 0)
    throw new UsageError(
      'Name the folders first: CAIRN_SKILL_TARGETS=\'[{"dir":"~/.claude/skills","mode":"additive"}]\'.',
    );
  const targets = settings.targets.map((target) => ({ ...target, dir: absolute(target.dir, settings.home) }));
  const wanted = await activeSkills(call, options.fleet);
  const dryRun = options.dryRun === true;
  // Everything is planned before anything is touched: a fault in one target leaves all as they are.
  const plans = targets.map((target) => ({
    target,
    plan: planTarget(target, wanted, { prune: options.prune === true }),
  }));
  const registration = plannedRegistration({ ...settings, targets });
  if (!dryRun) {
    for (const { target, plan } of plans) applyPlan(target, plan, wanted);
    registration?.apply();
  }
  const lines = [
    ...plans.flatMap(({ target, plan }) => linesOf(target, plan)),
    ...(registration ? [registration.line] : []),
  ];
  return { lines, remark: remarkOf(plans, dryRun) };
}

/** The skills to deliver, by slug; of two with one slug the one changed last. */
async function activeSkills(call: CallLocal, fleet: string | undefined): Promise<Wanted> {
  const skills = await listSkills(call, fleet ?? null);
  const wanted = new Map<string, string>();
  for (const { doc_id, data } of skills) {
    const name = slugOf(doc_id);
    const { description, content } = data;
    if (!SLUG.test(name) || typeof content !== "string" || typeof description !== "string") continue;
    if (!wanted.has(name)) wanted.set(name, renderSkill({ name, description, content }));
  }
  return wanted;
}

/** All of them, page by page: what were missing here would be taken for retired. Newest change first. */
async function listSkills(call: CallLocal, fleet_id: string | null): Promise<Document[]> {
  const { tenant_id } = Whoami.parse(await call("GET", "/api/v1/whoami"));
  const { skills_factory } = OrgSettings.parse(await call("GET", "/api/v1/settings"));
  const where = skills_factory.enabled ? { status: "active" } : null;
  const asked = { tenant_id, collection: SKILLS, fleet_id, where, order: "desc", limit: DOCUMENT_LIST_MAX };
  const skills: Document[] = [];
  for (let page = DOCUMENT_LIST_MAX; page === DOCUMENT_LIST_MAX; ) {
    const found = Page.parse(await call("POST", "/api/v1/documents/query", { ...asked, offset: skills.length }));
    skills.push(...found);
    page = found.length;
  }
  return skills;
}

const Page = z.array(Document);

/** A relative folder would depend on where the command is run. */
function absolute(dir: string, home: string): string {
  const path = dir === "~" || dir.startsWith("~/") ? join(home, dir.slice(1)) : dir;
  if (isAbsolute(path)) return path;
  throw new UsageError(`The skill target '${dir}' must be an absolute path, or begin with ~/.`);
}

function plannedRegistration({ targets, register: setting, home }: SkillTargets) {
  const dirs = targets.filter((target) => target.register).map(({ dir }) => dir);
  if (dirs.length === 0) return null;
  if (setting === undefined)
    throw new UsageError("A target asks to be registered: name the file of the harness in CAIRN_SKILL_REGISTER.");
  const place = parseRegister(setting);
  const register = { ...place, file: absolute(place.file, home) };
  const text = registered(register, dirs);
  if (text === null) return null;
  return { line: `register  ${dirs.join(", ")} in ${register.file}`, apply: () => writeRegister(register, text) };
}

interface Planned {
  readonly target: TargetFolder;
  readonly plan: Plan;
}

const linesOf = ({ dir }: TargetFolder, { steps }: Plan): string[] =>
  steps
    .filter(({ action }) => action !== "keep")
    .map(({ action, name, why }) => `${action.padEnd(8)}  ${join(dir, name)}${why ? `  (${why})` : ""}`);

function remarkOf(plans: readonly Planned[], dryRun: boolean): string {
  const all = plans.flatMap(({ plan }) => plan.steps);
  const count = (action: Step["action"]) => all.filter((step) => step.action === action).length;
  const told = `${count("write")} written, ${count("update")} updated, ${count("remove")} removed, ${count("keep")} unchanged, ${count("skip")} left alone`;
  return dryRun ? `Nothing was done. It would be: ${told}.` : `${told}.`;
}
