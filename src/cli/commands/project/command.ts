import type { Command } from "commander";
import type { Cli, CliFactory, CommonOptions } from "../../connect.ts";
import { alone, group, scoped } from "../../program.ts";
import { aliasOf, merge, rename, trust } from "./change.ts";
import { listProjects, showProject } from "./show.ts";
import type { SplitOptions } from "./split.ts";
import { split } from "./split.ts";

interface AliasOptions extends CommonOptions {
  readonly remove?: boolean;
}
interface MergeOptions extends CommonOptions {
  readonly into?: string;
  readonly yes?: boolean;
}

const NEEDS = { noModel: true } as const;
/** What is about the project of the folder, which is made where nobody knew it. */
const MAKING = { ...NEEDS, save: true } as const;
/** What looks at a folder whose `.cairn.json` nobody has trusted. */
const ANYWAY = { ...NEEDS, project: "anyway" } as const;

/** `cairn project` and what stands under it. */
export function addProject(program: Command, cli: CliFactory): void {
  const projects = group(program, "project", "which project this folder is, why, and under which names");
  alone(projects, scoped, (options: CommonOptions) => cli.use(options, showProject, { ...ANYWAY, save: true }));
  scoped(projects.command("list"), "cairn project list")
    .description("all projects, with what they hold")
    .action((options: CommonOptions) => cli.use(options, listProjects, ANYWAY));
  scoped(projects.command("rename"), 'cairn project rename "Web shop"')
    .description("call the project something else; its names of before go on meaning it")
    .argument("<name>", "its new name")
    .action((name: string, options: CommonOptions) => cli.use(options, (one) => rename(one, name), MAKING));
  scoped(projects.command("alias"), "cairn project alias shop")
    .description("another name that means the project, also where requests name a fleet")
    .argument("<name>", "the alias")
    .option("--remove", "take it away")
    .action((name: string, options: AliasOptions) =>
      cli.use(options, (one) => aliasOf(one, name, options.remove === true), MAKING),
    );
  scoped(projects.command("merge"), "cairn project merge shop-old --into shop")
    .description("make one project of two: all that the first holds becomes the other's, and so does its name")
    .argument("<project>", "the one that ends")
    .option("--into <project>", "the one that stays; else that of this folder")
    .option("--yes", "without being asked")
    .action((from: string, options: MergeOptions) => cli.use(options, (one) => merge(one, from, options), MAKING));
  splitting(scoped(projects.command("split"), "cairn project split --to client-b/api --by-agent bob")).action(
    (ids: string[], options: SplitOptions) => cli.use(options, (one) => split(one, ids, options), NEEDS),
  );
  scoped(projects.command("trust"), "cairn project trust")
    .description("let the .cairn.json of this folder name a project that was first used from elsewhere")
    .action((options: CommonOptions) => cli.use(options, (one: Cli) => trust(one), ANYWAY));
}

const splitting = (command: Command): Command =>
  command
    .description(
      "place what a project holds that may be another's of the same name; alone it tells how much that is, and whose it may be",
    )
    .argument("[id...]", "these memories, or the beginnings of their ids")
    .option("--to <project>", "the project that they belong to")
    .option("--by-agent <agent>", "what this agent wrote")
    .option("--run <id>", "what was written in this run")
    .option("--after <date>", "what was written then or later")
    .option("--before <date>", "what was written then or earlier; a day is in it as a whole")
    .option("--match <text>", "what holds this text")
    .option("--rest-stays", "what is left is its own: ends the doubt")
    .option("--dry-run", "only say how much that is");
