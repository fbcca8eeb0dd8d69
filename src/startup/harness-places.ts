import { join } from "node:path";
import type { ReachOptions, Remote } from "../cli/connect.ts";
import { announced } from "../cli/connect.ts";
import type { HookPlace } from "../cli/hook/process.ts";
import type { ProxyOptions } from "../cli/proxy/run.ts";
import { runningServer } from "../cli/server/local.ts";
import { keyOf, remoteOf } from "../config/load.ts";
import { systemClock } from "../core/kernel/clock.ts";
import { evidenceOf } from "../projects/folder/evidence.ts";
import { personOf } from "../projects/folder/person.ts";
import type { WorkInHand } from "../projects/folder/work-in-hand.ts";
import { workInHand } from "../projects/folder/work-in-hand.ts";
import type { Env } from "./factory.ts";
import { configFor } from "./factory.ts";
import { PARENT } from "./parent.ts";
import { placeOf } from "./place.ts";

// Where what a harness starts finds its server.

/** Tells what a folder says of its project, to whoever runs this process; hooks keep nothing in it. */
function evidenceFor(env: Env): ProxyOptions["evidenceOf"] {
  const person = personOf(env);
  return (folder, { save }) => evidenceOf(folder, person, { save });
}

/** The variables, with the server that a flag names before that of CAIRN_URL. */
const reaching = (env: Env, { url }: ReachOptions): Env => (url === undefined ? env : { ...env, CAIRN_URL: url });

/** What is in hand in the repository of a folder, for whoever runs this process; null outside any. */
export const workIn = (env: Env, folder: string): WorkInHand | null =>
  workInHand(folder, personOf(env), systemClock.now());

/** A hook calls the server that there is, and opens no folder. */
export async function hookPlaceOf(given: Env, options: ReachOptions): Promise<HookPlace> {
  const env = reaching(given, options);
  const config = await configFor(env, options);
  const remote = remoteOf(env);
  const running = remote ? null : runningServer(placeOf(config));
  const key = keyOf(env);
  return {
    server: running ? announced(running, key) : remote,
    has_key: key !== undefined,
    folder: join(config.cache, "hooks"),
    evidenceOf: (folder) => evidenceFor(env)(folder, { save: false }),
    workIn: (folder) => workIn(env, folder),
  };
}

/** The proxy of MCP reaches one server, and starts it unless it was told of one elsewhere. */
export async function proxyPlaceOf(
  given: Env,
  options: ReachOptions,
): Promise<Pick<ProxyOptions, "find" | "evidenceOf" | "folder" | "parent">> {
  const env = reaching(given, options);
  const remote = remoteOf(env);
  const config = await configFor(env, options);
  const place = { evidenceOf: evidenceFor(env), folder: process.cwd(), parent: PARENT };
  if (remote) return { ...place, find: async () => remote };
  const [{ ensureServer }, { selfCommand }] = await Promise.all([
    import("../cli/proxy/server.ts"),
    import("../cli/setup/place.ts"),
  ]);
  const starter = { ...placeOf(config), self: selfCommand(env), env };
  const key = keyOf(env);
  const find = async (): Promise<Remote> => {
    const server = await ensureServer(starter);
    return key === undefined ? server : { ...server, key };
  };
  return { ...place, find };
}
