import { KeyMinted } from "../../src/core/schema/account.ts";
import type { Client, Refusal, Reply } from "./api/client.ts";

export const GATEWAY_SECRET = "a gateway's proof of itself";
export const GATEWAY = `--gateway-secret=${GATEWAY_SECRET}`;

/** Headers as a gateway sends them for a tenant, or for one of its agents. */
export const viaGateway = (tenant_id: string, agent_id?: string): Record<string, string> => ({
  "X-Gateway-Secret": GATEWAY_SECRET,
  "X-Tenant-ID": tenant_id,
  ...(agent_id === undefined ? {} : { "X-Agent-ID": agent_id }),
});

/** Mints a key as `admin`. */
export const mint = (admin: Client, fields: Readonly<Record<string, unknown>> = {}): Promise<KeyMinted> =>
  admin.ok(KeyMinted, "POST", "/api/v1/keys", { body: fields });

/** The caller who presents a new key. */
export async function holder(admin: Client, fields: Readonly<Record<string, unknown>> = {}): Promise<Client> {
  return admin.as({ "X-API-Key": (await mint(admin, fields)).raw_key });
}

/** Status and code of a refusal. */
export const refusalOf = ({ status, body }: Reply<Refusal>): [number, string] => [status, body.error.code];
