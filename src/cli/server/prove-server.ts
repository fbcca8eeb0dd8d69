import { withoutCredentials } from "../../core/kernel/address.ts";
import { isProof, newChallenge } from "../../core/kernel/server-proof.ts";
import { NOBODY, strangerAt } from "../../core/kernel/sockets/stranger.ts";
import { readBounded } from "../../core/kernel/text.ts";
import { ServerProof } from "../../core/schema/system.ts";

/** Where a server said that it listens, and the secret that its file holds. */
export interface Announced {
  readonly url: string;
  readonly token: string;
}

/** What listens where a server said that it does is another program, or cannot show that it is that server. */
export class Unproven extends Error {
  override readonly name = "Unproven";
}

/**
 * Looks whose the program is that listens where a server was named, before that is told anything: while the server is down,
 * another account of this machine may take its port. Throws Unproven.
 */
export async function requireNoStranger(url: string): Promise<void> {
  const stranger = strangerAt(url);
  if (stranger === null) return;
  if (stranger === NOBODY)
    throw new Error(
      `Nobody listens at ${withoutCredentials(url)}. A container to which packet rules alone lead is called by its own address.`,
    );
  throw new Unproven(
    `What listens at ${withoutCredentials(url)} is run by another account of this machine, ${stranger}, and was told nothing. ` +
      "Start a server of your own (`cairn`), or name another address; one for several accounts runs as root or as an account of the system.",
  );
}

/** How long a server may take to prove itself. */
const PROVES_WITHIN_MS = 10_000;
/** A proof is longer than no answer of ours; what is more is not read. */
const PROOF_MAX_BYTES = 4_096;

/**
 * Has a server that announced itself show that it knows the token of its file, before it is told that token or anything else:
 * the address may have been taken since by somebody else's program. Throws Unproven, or what the socket says.
 */
export async function proveServer({ url, token }: Announced, within_ms: number = PROVES_WITHIN_MS): Promise<void> {
  const challenge = newChallenge();
  const response = await fetch(`${url}/api/v1/server-proof?challenge=${challenge}`, {
    redirect: "manual",
    signal: AbortSignal.timeout(within_ms),
  });
  const answer = ServerProof.safeParse(await jsonOf(response));
  if (answer.success && isProof(answer.data.proof, token, challenge)) return;
  throw new Unproven(
    `What answers at ${url} cannot prove that it is the server of this data folder, so that it was told nothing. ` +
      "If a server of another release runs, stop it with `cairn stop` of that release; if another program has the port, start Cairn with --port.",
  );
}

/** The JSON of a short answer; undefined for any other. */
async function jsonOf(response: Response): Promise<unknown> {
  try {
    return JSON.parse((await readBounded(response, PROOF_MAX_BYTES)) ?? "");
  } catch {
    return undefined;
  }
}

/** Calls that begin within this time after a proof need none of their own: several of one hook, say. */
const PROOF_HOLDS_MS = 100;

/** The same for many calls, one proof for those that begin at about the same time. */
export function provingServer(server: Announced): () => Promise<void> {
  let last: { readonly at: number; readonly proof: Promise<void> } | null = null;
  return () => {
    const at = performance.now();
    if (last === null || at - last.at > PROOF_HOLDS_MS) last = { at, proof: proveServer(server) };
    return last.proof;
  };
}
