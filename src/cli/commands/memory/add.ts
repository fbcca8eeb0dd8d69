import type { Command } from "commander";
import { z } from "zod";
import { Refused } from "../../call.ts";
import type { Cli, CliFactory, CommonOptions } from "../../connect.ts";
import { scoped } from "../../program.ts";
import { UsageError } from "../../usage.ts";
import { momentOf, shareOf, tellProject } from "./rows.ts";

interface AddOptions extends CommonOptions {
  readonly file?: string;
  readonly type?: string;
  readonly weight?: string;
  readonly visibility?: string;
  readonly validFrom?: string;
  readonly expires?: string;
  readonly source?: string;
  readonly metadata?: readonly string[];
}

/** Who writes from a command line when nobody is named. */
const PERSON = "cli";

/** `cairn add`: writes one memory. */
export function addAdd(program: Command, cli: CliFactory): void {
  scoped(program.command("add"), 'cairn add "We deploy on Tuesdays after the standup."')
    .description("write a memory: one whole statement")
    .argument("[text]", "the statement; - reads it from standard input")
    .option("--file <file>", "read the statement from a file")
    .option("--type <type>", "fact, decision, preference, task, plan, action or episode")
    .option("--weight <0..1>", "how important it is")
    .option("--visibility <scope>", "scope_agent, scope_team or scope_org")
    .option("--valid-from <date>", "from when it holds")
    .option("--expires <date>", "when it is to be forgotten")
    .option("--source <uri>", "where it is from")
    .option("--metadata <k=v...>", "members of its metadata")
    .action((text: string | undefined, options: AddOptions) => cli.use(options, (one) => add(one, text, options)));
}

const Written = z.object({
  id: z.string(),
  fleet_id: z.string().nullable(),
  metadata: z.looseObject({ embedding_pending: z.boolean().optional() }).nullable(),
});

async function add(cli: Cli, text: string | undefined, options: AddOptions): Promise<void> {
  const { call, out, project, tenant_id, agent_id } = cli;
  const content = await contentOf(text, options.file);
  const body = {
    tenant_id,
    agent_id: agent_id ?? PERSON,
    content,
    memory_type: options.type,
    weight: shareOf("--weight", options.weight),
    // Without a project it is for every project: its writer's home would otherwise take it.
    ...(project ? { fleet_id: project.name } : { visibility: "scope_org" }),
    ...(options.visibility === undefined ? {} : { visibility: options.visibility }),
    ts_valid_start: momentOf("--valid-from", options.validFrom),
    expires_at: momentOf("--expires", options.expires),
    source_uri: options.source,
    metadata: options.metadata ? membersOf(options.metadata) : undefined,
  };
  const reply = await call("POST", "/api/v1/memories", body).catch((error: unknown) => {
    const existing = error instanceof Refused ? error.details.existing_id : undefined;
    if (!(error instanceof Refused) || typeof existing !== "string") throw error;
    throw new Refused(
      `${error.message} It is ${existing}: \`cairn get ${existing}\`.`,
      error.code,
      error.status,
      error.details,
    );
  });
  if (out.isJson) return out.json({ ...z.looseObject({}).parse(reply), project: project?.name ?? null });
  const memory = Written.parse(reply);
  out.line(memory.id);
  tellProject(cli, "For every project, as none was named.");
  if (memory.metadata?.embedding_pending) out.note("Found by its words at once; by its meaning in a moment.");
}

async function contentOf(text: string | undefined, file: string | undefined): Promise<string> {
  if ((text === undefined) === (file === undefined))
    throw new UsageError(
      'Write the statement, as in `cairn add "We deploy on Tuesdays."`, or --file FILE, or - for standard input.',
    );
  if (text === "-") return Bun.stdin.text();
  if (text !== undefined) return text;
  return Bun.file(file ?? "")
    .text()
    .catch((cause: Error) => {
      throw new UsageError(`The file ${file} cannot be read: ${cause.message}`);
    });
}

function membersOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new UsageError(`--metadata is written k=v, which '${pair}' is not.`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
