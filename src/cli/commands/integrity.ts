import type { Command } from "commander";
import type { CallLocal } from "../call.ts";
import type { CliFactory, CommonOptions } from "../connect.ts";
import type { Checked } from "../integrity.ts";
import { runCheck, runRebuild } from "../integrity.ts";
import { common } from "../program.ts";
import type { ProgressLine } from "../progress.ts";
import { progressLine } from "../progress.ts";

/** What only whoever may open files can do before a rebuild. */
export interface Files {
  /** Throws where a folder holds no data of Cairn: a mistyped one must not be made, and then be found without fault. */
  requireData(options: CommonOptions): Promise<void>;
  /** Saves what can be read of a damaged file; nothing where a server has the folder. */
  mend(options: CommonOptions): Promise<void>;
}

/** `cairn check` and `cairn rebuild`. */
export function addIntegrity(program: Command, cli: CliFactory, files: Files): void {
  common(program.command("check"), "cairn check --data /srv/cairn")
    .description("do rows, indexes and the pages of the file agree?")
    .action(async (options: CommonOptions) => {
      await files.requireData(options);
      await run(cli, options, "check", runCheck);
    });
  common(program.command("rebuild"), "cairn rebuild")
    .description("make the indexes anew; from a damaged file, first save every row that can be read")
    .action(async (options: CommonOptions) => {
      await files.requireData(options);
      await files.mend(options);
      await run(cli, options, "rebuild", runRebuild);
    });
}

const run = (
  cli: CliFactory,
  options: CommonOptions,
  name: string,
  work: (call: CallLocal, progress: ProgressLine) => Promise<Checked>,
): Promise<void> =>
  cli.use(options, async ({ call, out }) => {
    const { out: lines, remark, ok, report } = await work(call, progressLine(name));
    if (out.isJson) out.json(report);
    else {
      if (remark) out.note(remark);
      out.line(lines);
    }
    if (!ok) process.exitCode = 1;
  });
