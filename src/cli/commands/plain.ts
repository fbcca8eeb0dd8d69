import type { Command } from "commander";
import { licencesText } from "../licences.ts";
import { print } from "../print.ts";

/** `cairn version` and `cairn licenses`: what is within. */
export function addPlain(program: Command, version: string): void {
  program.version(version, "-v, --version", "the release, and the version of the interface");
  program
    .command("version")
    .description("the release, and the version of the interface")
    .action(() => print(version));
  program
    .command("licenses")
    .description("the terms of the works of others within Cairn")
    .action(async () => print(await licencesText()));
}
