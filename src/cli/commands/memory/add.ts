import type { Command } from "commander";
import { z } from "zod";
import { sentence } from "../../../core/kernel/text.ts";
import { Refused } from "../../call.ts";
import type { Cli, CliFactory, CommonOptions } from "../../connect.ts";
import { readNamedFile, readStandardInput } from "../../input.ts";
import { momentOf } from "../../moments.ts";
import { plainText } from "../../output.ts";
import { scoped } from "../../program.ts";
import { ownedBy, PERSON, sayProject, withProject } from "../../scope.ts";
import { UsageError } from "../../usage.ts";
import { Findable, isPending, tellRetired, tellWaited, untilFound, warnOfSecret } from "./after-add.ts";
import { flags, membersOf, shareOf } from "./flags.ts";

interface AddOptions extends CommonOptions {
  readonly file?: string;
  readonly type?: string;
  readonly weight?: string;
  readonly visibility?: string;
  readonly validFrom?: string;
  readonly expires?: string;
  readonly source?: string;
  readonly metadata?: readonly string[];
  readonly wait?: boolean;
}

/** `cairn add`: writes one memory. */
export function addAdd(program: Command, cli: CliFactory): void {
  scoped(program.command("add"), 'cairn add "We deploy on Tuesdays after the standup."')
    .description("write a memory: one whole statement")
    .argument("[text]", "the statement; - reads it from standard input")
    .option("--file <file>", "read the statement from a file")
    .addOption(flags.newType("what kind of statement it is; else told from the text"))
    .option("--weight <0..1>", "how important it is")
    .addOption(flags.visibility("who sees it"))
    .option("--valid-from <date>", "from when it holds")
    .option("--expires <date>", "when it is to be forgotten")
    .option("--source <uri>", "where it is from")
    .option("--metadata <k=v...>", "members of its metadata")
    .option("--wait", "until it is found by meaning and compared with the rest, 20 seconds at most")
    .action((text: string | undefined, options: AddOptions) =>
      cli.use(options, (one) => add(one, text, options), { save: true }),
    );
}

const Written = Findable.extend({
  agent_id: z.string(),
  visibility: z.string(),
});
type Written = z.infer<typeof Written>;

async function add(cli: Cli, text: string | undefined, options: AddOptions): Promise<void> {
  const { out } = cli;
  const content = await contentOf(text, options.file);
  const reply = await written(cli, content, options);
  const memory = Written.parse(reply);
  const waited = options.wait ? await untilFound(cli, memory) : null;
  if (out.isJson) return out.json(withProject(cli, reply));
  out.line(memory.id);
  out.note(whoseIs(cli, memory));
  warnOfSecret(cli, memory.id, content);
  if (waited) return tellWaited(cli, waited);
  if (isPending(memory)) out.note("Pending: found by its words at once, by its meaning in a moment.");
  if (out.isTerminal) await tellRetired(cli, memory.id);
}

/** Writes it; a duplicate names the memory that there is. */
function written(cli: Cli, content: string, options: AddOptions): Promise<unknown> {
  const { call, tenant_id, agent_id } = cli;
  const body = {
    tenant_id,
    agent_id: agent_id ?? PERSON,
    content,
    memory_type: options.type,
    weight: shareOf("--weight", options.weight),
    ...ownedBy(cli),
    ...(options.visibility === undefined ? {} : { visibility: options.visibility }),
    ts_valid_start: momentOf("--valid-from", options.validFrom, "first"),
    expires_at: momentOf("--expires", options.expires, "last"),
    source_uri: options.source,
    metadata: membersOf(options.metadata),
  };
  return call("POST", "/api/v1/memories", body).catch((error: unknown) => {
    const existing = error instanceof Refused ? error.details.existing_id : undefined;
    if (!(error instanceof Refused) || typeof existing !== "string") throw error;
    const message = `${sentence(error.message)} Read it: \`cairn get ${existing}\`.`;
    throw new Refused(message, error.code, error.status, error.details);
  });
}

async function contentOf(text: string | undefined, file: string | undefined): Promise<string> {
  if ((text === undefined) === (file === undefined))
    throw new UsageError(
      'Write the statement, as in `cairn add "We deploy on Tuesdays."`, or --file FILE, or - for standard input.',
    );
  if (text === "-") return readStandardInput();
  return text ?? readNamedFile(file ?? "");
}

/** Who finds it. */
function whoseIs({ project }: Cli, { id, visibility, agent_id }: Written): string {
  const named = project ? `${sayProject(project)}${project.is_new ? ", a new one" : ""}` : "";
  if (visibility === "scope_agent") return `${named ? `${named}. ` : ""}Private to agent ${plainText(agent_id)}.`;
  if (project) return `${named}${visibility === "scope_org" ? ", seen from every project" : ""}.`;
  return `For everyone, in every project, as none was named: \`cairn move ${id} --to PROJECT\` gives it to one; --project NAME, or {"project": "NAME"} in .cairn.json, names one.`;
}
