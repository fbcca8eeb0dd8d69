import type { Command } from "commander";
import type { KeyView } from "../../core/schema/account.ts";
import { KeyList, KeyMinted } from "../../core/schema/account.ts";
import type { Cli, CliFactory, CommonOptions } from "../connect.ts";
import { plainText } from "../output.ts";
import { alone, common, group } from "../program.ts";
import type { Column } from "../table.ts";
import { UsageError } from "../usage.ts";

interface KeyOptions extends CommonOptions {
  readonly fleet?: string;
  readonly trust?: string;
  readonly label?: string;
  readonly admin?: boolean;
}

/** Keys are looked after without a model. */
const NEEDS = { noModel: true };

/** `cairn keys create|list|revoke`: the keys that callers send. */
export function addKeys(program: Command, cli: CliFactory): void {
  const keys = group(program, "keys", "make, list and end the keys that callers send");
  alone(keys, common, (options: KeyOptions) => cli.use(options, (one) => listKeys(one, options), NEEDS));
  common(keys.command("create"), "cairn keys create --agent anna --trust 2 --project web-shop")
    .description("make a key; it is shown this once")
    .option("--agent <id>", "the agent that the key speaks for; else the whole tenant's")
    .option("--project <name>", "the agent's own project, where it may write; else the one it has")
    .option("--fleet <id>", "the same as --project")
    .option("--trust <0..3>", "what the agent may do")
    .option("--label <text>", "a note for people")
    .option("--admin", "may look after the tenant")
    .option("--tenant <id>", "the tenant it opens")
    .action((options: KeyOptions) =>
      cli.use(withHome(options), (one) => createKey(one, options), { ...NEEDS, save: true }),
    );
  common(keys.command("list"), "cairn keys list")
    .description("keys and whether they are in use")
    .option("--tenant <id>", "the tenant they open")
    .action((options: KeyOptions) => cli.use(options, (one) => listKeys(one, options), NEEDS));
  common(keys.command("revoke"), "cairn keys revoke 01890a5d-ac96-774b-bcce-b302099a8057")
    .argument("<id>", "id of the key, as `cairn keys list` shows it")
    .description("end a key: the next call with it is refused")
    .option("--tenant <id>", "the tenant it opens")
    .action((id: string, options: KeyOptions) => cli.use(options, (one) => revokeKey(one, id, options), NEEDS));
}

async function createKey({ call, out, project }: Cli, options: KeyOptions): Promise<void> {
  const { agent, tenant, trust, label, admin } = options;
  if (trust !== undefined && !/^[0-3]$/.test(trust)) throw new UsageError("--trust is 0, 1, 2 or 3.");
  const level = trust === undefined ? undefined : Number(trust);
  const body = { tenant_id: tenant, agent_id: agent, fleet_id: project?.id, trust: level, label, admin };
  const key = KeyMinted.parse(await call("POST", "/api/v1/keys", body));
  if (out.isJson) return out.json(key);
  out.line(key.raw_key);
  out.note(`Key ${key.id} of ${ownerOf(key)}, ${rightsOf(key)}. It is shown this once.`);
}

/** The project that somebody named, by one flag or the other. Throws UsageError where both name another. */
function withHome({ fleet, ...options }: KeyOptions): KeyOptions {
  const { project = fleet } = options;
  if (fleet === undefined || fleet === project) return project === undefined ? options : { ...options, project };
  throw new UsageError("--project and --fleet name the same: give one of them.");
}

const ownerOf = ({ agent_id, tenant_id }: KeyView): string =>
  agent_id === null ? `tenant '${plainText(tenant_id)}'` : `agent '${plainText(agent_id)}'`;
const rightsOf = ({ trust, admin }: KeyView): string => `trust ${trust}${admin ? ", administrator" : ""}`;

const COLUMNS: readonly Column<KeyView>[] = [
  { title: "ID", value: ({ id }) => id },
  { title: "BEGINS", value: ({ key_prefix }) => `${key_prefix}...` },
  { title: "AGENT", value: ({ agent_id }) => plainText(agent_id ?? "(tenant)"), isWide: true },
  { title: "FLEET", value: ({ fleet_id }) => plainText(fleet_id ?? ""), isWide: true },
  { title: "RIGHTS", value: rightsOf },
  { title: "LABEL", value: ({ label }) => plainText(label ?? ""), isWide: true },
  { title: "STATE", value: ({ revoked_at }) => (revoked_at ? "revoked" : "in use") },
];

async function listKeys({ call, out }: Cli, { tenant }: KeyOptions): Promise<void> {
  const list = KeyList.parse(await call("GET", `/api/v1/keys${tenantQuery(tenant)}`));
  if (out.isJson) return out.json(list);
  if (list.items.length === 0) return out.note("No keys yet. Make one with `cairn keys create`.");
  out.table(list.items, COLUMNS);
}

async function revokeKey({ call, out }: Cli, id: string, { tenant }: KeyOptions): Promise<void> {
  await call("DELETE", `/api/v1/keys/${encodeURIComponent(id)}${tenantQuery(tenant)}`);
  if (out.isJson) return out.json({ id, revoked: true });
  out.line(id);
  out.note("Revoked: the next call with this key is refused.");
}

const tenantQuery = (tenant: string | undefined): string =>
  tenant === undefined ? "" : `?tenant_id=${encodeURIComponent(tenant)}`;
