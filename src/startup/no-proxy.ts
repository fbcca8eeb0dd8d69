const LOOPBACK = ["localhost", "127.0.0.1", "::1"];

/**
 * Keeps what is meant for this machine, a server's local token included, from going through the proxy that `env` names for
 * the wide world.
 */
export function exemptLoopback(env: Record<string, string | undefined>): void {
  // Of the two spellings, the lower-case one is read first.
  const name = env.no_proxy === undefined ? "NO_PROXY" : "no_proxy";
  env[name] = [env[name], ...LOOPBACK].filter(Boolean).join(",");
}
