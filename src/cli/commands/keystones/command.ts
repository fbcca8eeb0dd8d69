import type { Command } from "commander";
import type { CliFactory, CommonOptions } from "../../connect.ts";
import { alone, group, scoped } from "../../program.ts";
import type { RuleOptions } from "./change.ts";
import { lockRule, removeRule, setRule } from "./change.ts";
import { listAll, listRules } from "./list.ts";
import { acceptProposal, dismissProposal } from "./proposals.ts";

const NEEDS = { noModel: true };
const A_NAME = "its name, as `cairn keystones` shows it";

/** `cairn keystones`: the rules that every agent is served, and those that wait for a person. */
export function addKeystones(program: Command, cli: CliFactory): void {
  const keystones = group(program, "keystones", "mandatory rules, served to every agent");
  const named = (name: string, example: string, about: string, work: Named) =>
    scoped(keystones.command(name), `cairn keystones ${example}`)
      .description(about)
      .argument("<name>", A_NAME)
      .action((rule: string, options: CommonOptions) =>
        cli.use(options, (one) => work(one, { name: rule, options }), NEEDS),
      );
  alone(keystones, scoped, (options: CommonOptions) => cli.use(options, listAll, NEEDS));
  scoped(keystones.command("list"), "cairn keystones list")
    .description("the rules that bind in this project")
    .action((options: CommonOptions) => cli.use(options, listRules, NEEDS));
  scoped(keystones.command("set"), 'cairn keystones set no-force-push "Never force-push to main."')
    .description(
      "set a rule: of the project, with --agent of one agent in it, with --no-scope of everyone (with --agent of it everywhere)",
    )
    .argument("<name>", "short name of the rule")
    .argument("<text>", "what it says")
    .option("--title <text>", "its title; else its name")
    .option("--weight <weight>", "low, med, high or 0 to 100", "med")
    .option("--lock", "only administrators change or remove it from now on")
    .action((name: string, text: string, options: RuleOptions) =>
      cli.use(options, (one) => setRule(one, { name, text, options }), { ...NEEDS, save: true }),
    );
  named("rm", "rm no-force-push", "remove a rule of the project, with --no-scope of everyone", removeRule);
  named("lock", "lock no-force-push", "let only administrators change or remove a rule", lockRule(true));
  named("unlock", "unlock no-force-push", "let others change or remove a locked rule", lockRule(false));
  named("accept", "accept no-force-push", "make what an agent proposed the rule; asks on a terminal", acceptProposal);
  named("dismiss", "dismiss no-force-push", "drop what an agent proposed", dismissProposal);
}

type Named = typeof removeRule;
