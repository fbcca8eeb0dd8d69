import { readDatabaseAddress } from "../core/kernel/address.ts";
import type { Config, Origins } from "./load.ts";
import type { SettingName } from "./settings.ts";
import { flagOf, SECRETS, variableOf } from "./settings.ts";

/** Flags that were given with a secret in them, each with the variable that takes it unseen. */
export function secretsInFlags(
  config: Config,
  origins: Origins,
): { readonly flag: string; readonly variable: string }[] {
  return SECRETS.flatMap((name) => {
    const flag = `--${flagOf(name)}`;
    return origins[name] === flag && isSecret(name, config[name]) ? [{ flag, variable: variableOf(name) }] : [];
  });
}

/** An address is secret for the password in it, if there is one. */
function isSecret(name: SettingName, value: unknown): boolean {
  if (typeof value !== "string") return false;
  if (!name.endsWith("_url")) return true;
  return Boolean(readDatabaseAddress(value)?.password || URL.parse(value)?.password);
}
