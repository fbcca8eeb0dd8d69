import type { Command } from "commander";
import type { CliFactory, CommonOptions } from "../connect.ts";
import { alone, common, group, scoped } from "../program.ts";
import { approve, showSkills } from "../skills/approval.ts";
import type { SkillTargets } from "../skills/sync.ts";
import { syncSkills } from "../skills/sync.ts";

interface SyncOptions extends CommonOptions {
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly fleet?: string;
}

interface ApproveOptions extends CommonOptions {
  readonly yes?: boolean;
}

const NEEDS = { noModel: true };

/** `cairn skills`: what is delivered, what waits for a person, and skills as files; `targetsOf` reads the settings. */
export function addSkills(
  program: Command,
  cli: CliFactory,
  targetsOf: (options: CommonOptions) => Promise<SkillTargets>,
): void {
  const skills = group(
    program,
    "skills",
    "skills: which are delivered, a person's word for one, and files for harnesses",
  );
  alone(skills, common, (options: CommonOptions) => cli.use(options, (one) => showSkills(one, undefined), NEEDS));
  common(skills.command("list"), "cairn skills list")
    .description("all skills, whether each is delivered, and on whose word")
    .option("--fleet <id>", "the skills of one fleet")
    .action((options: SyncOptions) => cli.use(options, (one) => showSkills(one, options.fleet), NEEDS));
  scoped(skills.command("approve"), "cairn skills approve agent/deploy")
    .description("show a skill, ask, and deliver it as it is from now on")
    .argument("<name>", "its name, as `cairn skills list` shows it")
    .option("--yes", "without being asked; only with an administrator's key in CAIRN_KEY")
    .action((name: string, options: ApproveOptions) =>
      cli.use(options, (one) => approve(one, { name, yes: options.yes === true }), NEEDS),
    );
  common(skills.command("sync"), "cairn skills sync --dry-run")
    .description("bring the folders of --skill-targets in line with the skills that are delivered")
    .option("--skill-targets <json>", "folders: JSON array of {dir, mode: owned|additive, register?}")
    .option("--skill-register <file>", "JSON file of a harness that `register` adds folders to")
    .option("--dry-run", "say what would be done")
    .option("--prune", "remove skills of ours that are no longer delivered")
    .option("--fleet <id>", "the skills of one fleet")
    .action(async (options: SyncOptions) => {
      const targets = await targetsOf(options);
      await cli.use(
        options,
        async ({ call, out }) => {
          const { lines, remark } = await syncSkills(call, options, targets);
          if (out.isJson) return out.json({ steps: lines, remark });
          out.note(remark);
          if (lines.length > 0) out.line(lines.join("\n"));
        },
        NEEDS,
      );
    });
}
