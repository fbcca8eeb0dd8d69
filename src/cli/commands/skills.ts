import type { Command } from "commander";
import type { CliFactory, CommonOptions } from "../connect.ts";
import { common, group } from "../program.ts";
import type { SkillTargets } from "../skills.ts";
import { syncSkills } from "../skills.ts";

interface SyncOptions extends CommonOptions {
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly fleet?: string;
}

/** `cairn skills sync`: active skills as files; `targetsOf` reads the settings. */
export function addSkills(
  program: Command,
  cli: CliFactory,
  targetsOf: (options: CommonOptions) => Promise<SkillTargets>,
): void {
  const skills = group(program, "skills", "active skills as files that harnesses read");
  common(skills.command("sync"), "cairn skills sync --dry-run")
    .description("bring the folders of --skill-targets in line with the active skills")
    .option("--skill-targets <json>", "folders: JSON array of {dir, mode: owned|additive, register?}")
    .option("--skill-register <file>", "JSON file of a harness that `register` adds folders to")
    .option("--dry-run", "say what would be done")
    .option("--prune", "remove skills of ours that are no longer active")
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
        { noModel: true },
      );
    });
}
