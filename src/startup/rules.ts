import { limitsOf } from "../config/limits.ts";
import type { Config } from "../config/load.ts";
import { isLoopback } from "../core/kernel/address.ts";
import { secret } from "../core/kernel/secret.ts";
import { proofOf } from "../core/kernel/server-proof.ts";
import type { IdentityRules } from "../core/ports/context.ts";
import type { ServerOptions } from "../http/server.ts";

/** What a server refuses, as its configuration says. */
export function serverOptions(config: Config): Omit<ServerOptions, "mcp"> {
  const { host, allowed_hosts, allowed_origins } = config;
  const { rates, requests_limit } = limitsOf(config);
  return {
    guard: { allowed_hosts: [host, ...allowed_hosts], allowed_origins },
    rates,
    requestsLimit: requests_limit,
  };
}

/** A shared key asks everyone for it; without one, only the machine itself is trusted. */
export function identityRules(config: Config, local_token: string): IdentityRules {
  const { host, standalone, api_key, gateway_secret, insecure_no_auth, any_local_user } = config;
  const trusted = isLoopback(host) || insecure_no_auth;
  return {
    keyless: standalone && trusted && api_key === undefined,
    any_local_user: any_local_user || !isLoopback(host),
    local_token: secret(local_token),
    prove: (challenge) => proofOf(local_token, challenge),
    api_key: api_key === undefined ? null : secret(api_key),
    gateway_secret: gateway_secret === undefined ? null : secret(gateway_secret),
  };
}
