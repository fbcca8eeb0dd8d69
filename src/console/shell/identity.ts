import { signal } from "@preact/signals";
import { askProgramsAddress } from "../api/address.ts";
import { call, keyRefused } from "../api/call.ts";
import { keepKey } from "../api/key.ts";
import { watch } from "../api/live.ts";
import type { CallProblem } from "../api/problem.ts";
import { asProblem } from "../api/problem.ts";
import type { Whoami } from "../api/schemas.gen.ts";

/** Who the server takes this tab for; null until it has said so. */
export const identity = signal<Whoami | null>(null);
/** Why the server could not be asked. */
export const identityProblem = signal<CallProblem | null>(null);

/** Asks the server who is calling; changes are followed once it knows. Throws CallProblem. */
async function ask(): Promise<void> {
  const who = await call("whoami", {});
  keyRefused.value = null;
  identityProblem.value = null;
  identity.value = who;
  if (who.tenant_id !== null) watch();
}

/** Asks the server who is calling, and keeps why it could not be asked. */
export async function identify(): Promise<void> {
  // Without an answer the page's own address stands for it.
  void askProgramsAddress().catch(() => {});
  try {
    await ask();
  } catch (error) {
    identityProblem.value = asProblem(error);
  }
}

/** Tries a key and keeps it where it is taken. Throws CallProblem where it is not. */
export async function signIn(key: string): Promise<void> {
  keepKey(key);
  try {
    await ask();
  } catch (error) {
    keepKey(null);
    throw error;
  }
}

/** Forgets the key and everything that was shown with it. */
export function signOut(): void {
  keepKey(null);
  location.reload();
}
