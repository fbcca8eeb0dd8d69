import { isAbsolute, join } from "node:path";
import { SLUG } from "../../core/schema/common.ts";
import type { ListedSkill } from "../../core/schema/skill.ts";
import { slugOf } from "../../core/schema/skill.ts";
import type { CallLocal } from "../call.ts";
import { padTo } from "../columns.ts";
import { UsageError } from "../usage.ts";
import { hintFor } from "./approval.ts";
import { renderSkill } from "./file.ts";
import { isSound, listedSkills } from "./list.ts";
import { parseRegister, registered, writeRegister } from "./register.ts";
import type { Plan, Step, TargetFolder, Wanted } from "./target.ts";
import { applyPlan, planTarget } from "./target.ts";

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

/** Brings the targets in line with the skills that the tenant delivers; a line for each step. Throws UsageError, SkillSyncError. */
export async function syncSkills(
  call: CallLocal,
  options: Options,
  settings: SkillTargets,
): Promise<{ readonly lines: readonly string[]; readonly remark: string }> {
  if (settings.targets.length === 0)
    throw new UsageError(
      'Name the folders first: CAIRN_SKILL_TARGETS=\'[{"dir":"~/.claude/skills","mode":"additive"}]\'.',
    );
  const { home } = settings;
  const targets = settings.targets.map((target) => ({ ...target, home, dir: absolute(target.dir, home) }));
  const skills = await listedSkills(call, options.fleet ?? null);
  const wanted = delivered(skills);
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
  return { lines, remark: [remarkOf(plans, dryRun), hintFor(skills)].filter(Boolean).join("\n") };
}

/** The skills to deliver, by slug: of two with one slug the one changed last; nothing that is not what was approved. */
function delivered(skills: readonly ListedSkill[]): Wanted {
  const wanted = new Map<string, string>();
  for (const { doc_id, data } of skills.filter(isSound)) {
    const name = slugOf(doc_id);
    const { description, content } = data;
    if (!SLUG.test(name) || typeof content !== "string" || typeof description !== "string") continue;
    if (!wanted.has(name)) wanted.set(name, renderSkill({ name, description, content }));
  }
  return wanted;
}

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
    .map(({ action, name, why }) => `${padTo(action, 8)}  ${join(dir, name)}${why ? `  (${why})` : ""}`);

function remarkOf(plans: readonly Planned[], dryRun: boolean): string {
  const all = plans.flatMap(({ plan }) => plan.steps);
  const count = (action: Step["action"]) => all.filter((step) => step.action === action).length;
  const told = `${count("write")} written, ${count("update")} updated, ${count("remove")} removed, ${count("keep")} unchanged, ${count("skip")} left alone`;
  return dryRun ? `Nothing was done. It would be: ${told}.` : `${told}.`;
}
