import { KeyList, KeyMinted } from "../schema/account.ts";
import type { CallLocal } from "./call.ts";

/** A command that was written wrongly; the message says how it is written. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const USAGE = "Write `cairn keys create`, `cairn keys list` or `cairn keys revoke ID`; `cairn help` has the flags.";

/** What a command prints: the result for programs, a remark for people. */
export interface Printed {
  readonly out: string;
  readonly remark?: string;
}

type Options = Readonly<Record<string, string | boolean>>;

/** Runs `cairn keys ...` against the server of the data folder, running or not. */
export async function runKeys(call: CallLocal, words: readonly string[], options: Options): Promise<Printed> {
  const [verb, id, ...more] = words;
  if (more.length > 0) throw new UsageError(USAGE);
  if (verb === "create" && id === undefined) return createKey(call, options);
  if (verb === "list" && id === undefined) return listKeys(call, options);
  if (verb === "revoke" && id !== undefined) return revokeKey(call, id, options);
  throw new UsageError(USAGE);
}

async function createKey(call: CallLocal, { agent, fleet, tenant, trust, label, admin }: Options): Promise<Printed> {
  if (trust !== undefined && !/^[0-3]$/.test(String(trust))) throw new UsageError("--trust is 0, 1, 2 or 3.");
  const level = trust === undefined ? undefined : Number(trust);
  const body = { tenant_id: tenant, agent_id: agent, fleet_id: fleet, trust: level, label, admin };
  const key = KeyMinted.parse(await call("POST", "/api/v1/keys", body));
  const whose = key.agent_id === null ? `tenant '${key.tenant_id}'` : `agent '${key.agent_id}'`;
  return {
    out: key.raw_key,
    remark: `Key ${key.id} of ${whose}, trust ${key.trust}${key.admin ? ", administrator" : ""}. It is shown this once.`,
  };
}

async function listKeys(call: CallLocal, { tenant }: Options): Promise<Printed> {
  const { items } = KeyList.parse(await call("GET", `/api/v1/keys${tenantQuery(tenant)}`));
  const rows = items.map((key) =>
    [
      key.id,
      `${key.key_prefix}...`,
      key.agent_id ?? "(tenant)",
      ...(key.fleet_id === null ? [] : [`fleet ${key.fleet_id}`]),
      `trust ${key.trust}${key.admin ? ", administrator" : ""}`,
      ...(key.label === null ? [] : [`"${key.label}"`]),
      key.revoked_at ? "revoked" : "in use",
    ].join("  "),
  );
  return rows.length > 0
    ? { out: rows.join("\n") }
    : { out: "", remark: "No keys yet. Make one with `cairn keys create`." };
}

async function revokeKey(call: CallLocal, id: string, { tenant }: Options): Promise<Printed> {
  await call("DELETE", `/api/v1/keys/${encodeURIComponent(id)}${tenantQuery(tenant)}`);
  return { out: id, remark: "Revoked: the next call with this key is refused." };
}

const tenantQuery = (tenant: string | boolean | undefined): string =>
  typeof tenant === "string" ? `?tenant_id=${encodeURIComponent(tenant)}` : "";
