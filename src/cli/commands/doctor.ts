import type { Command } from "commander";
import type { CliFactory, CommonOptions } from "../connect.ts";
import type { Report } from "../doctor/report.ts";
import { linesOf, verdictOn } from "../doctor/report.ts";
import type { DoctorTarget, NoSettings } from "../doctor/target.ts";
import type { Output } from "../output.ts";
import { common } from "../program.ts";

interface DoctorOptions extends CommonOptions {
  readonly fix?: boolean;
}

const EXIT_INTERRUPTED = 130;

/** `cairn doctor`; `doctorTargetFor` says what there is to examine. */
export function addDoctor(
  program: Command,
  cli: CliFactory,
  doctorTargetFor: (options: CommonOptions, signal: AbortSignal) => Promise<DoctorTarget | NoSettings>,
): void {
  common(program.command("doctor"), "cairn doctor --fix")
    .description("look at everything; say what is wrong, why it matters and what repairs it")
    .option("--fix", "run the repairs that can lose nothing, and look again")
    .action(async (options: DoctorOptions) => {
      const signal = interruption();
      const out = cli.output(options);
      const { runDoctor } = await import("../doctor/run.ts");
      try {
        const report = await runDoctor(await doctorTargetFor(options, signal), { fix: options.fix === true });
        show(report, out);
        if (!report.ok) process.exitCode = 1;
      } catch (error) {
        if (!signal.aborted) throw error;
        out.note("Interrupted. What the examination wrote is erased.");
        process.exitCode = EXIT_INTERRUPTED;
      }
    });
}

/** Fires at the first signal, so that what was written is taken back; the second one ends the process at once. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  const stop = () => (controller.signal.aborted ? process.exit(EXIT_INTERRUPTED) : controller.abort());
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return controller.signal;
}

function show(report: Report, out: Output): void {
  if (out.isJson) out.json(report);
  else {
    out.line(linesOf(report, out.style).join("\n"));
    out.note(verdictOn(report));
  }
}
