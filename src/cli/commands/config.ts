import type { Command } from "commander";
import type { CliFactory, CommonOptions } from "../connect.ts";
import { common } from "../program.ts";

/** A setting as it holds, a secret as `***`. */
export interface ShownSetting {
  readonly name: string;
  readonly value: string;
  /** A flag, a variable, a place in a file, or `default`. */
  readonly origin: string;
}

/** `cairn config`: every setting as a server here would have it; `settingsOf` reads them. */
export function addConfig(
  program: Command,
  cli: CliFactory,
  settingsOf: (options: CommonOptions) => Promise<readonly ShownSetting[]>,
): void {
  common(program.command("config"), "cairn config --origin")
    .description("every setting of a server started here")
    .option("--origin", "say what each comes from: flag, variable, file or default")
    .action(async (options: CommonOptions & { readonly origin?: boolean }) => {
      const settings = await settingsOf(options);
      const out = cli.output(options);
      if (out.isJson) return out.json(settings);
      out.table(settings, [
        { title: "SETTING", value: ({ name }) => name },
        { title: "VALUE", value: ({ value }) => value, isWide: true },
        ...(options.origin ? [{ title: "FROM", value: ({ origin }: ShownSetting) => origin, isWide: true }] : []),
      ]);
    });
}
