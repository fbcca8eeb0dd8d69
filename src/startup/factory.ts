import type { App } from "../app.ts";
import { callThrough, Refused, streamThrough } from "../cli/call.ts";
import type { CliFactory, CommonOptions, Connection, Needs } from "../cli/connect.ts";
import { connectLocally, connectTo, Unreachable } from "../cli/connect.ts";
import type { Output } from "../cli/output.ts";
import { createOutput } from "../cli/output.ts";
import { namingHolder } from "../cli/server/folder-holder.ts";
import { withSpinner } from "../cli/spinner.ts";
import type { ServerFlags } from "../config/flags.ts";
import type { Config } from "../config/load.ts";
import { keyOf, loadConfig, remoteOf } from "../config/load.ts";
import { systemClock } from "../core/kernel/clock.ts";
import { within } from "../core/kernel/event-loop.ts";
import { silentLogger } from "../core/kernel/log.ts";
import { Whoami } from "../core/schema/system.ts";
import { queueRereading } from "./background-jobs.ts";
import { ownConfig, placeOf } from "./place.ts";
import { evidenceFor, projectFor } from "./which-project.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** The settings among a command's own flags. */
export function flagsOf(options: CommonOptions): ServerFlags {
  const { data, cache, embedder, config, skillTargets: skill_targets, skillRegister: skill_register } = options;
  const given = Object.entries({ data, cache, embedder, skill_targets, skill_register });
  return {
    settings: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    ...(config === undefined ? {} : { config }),
  };
}

/** The settings that a command goes by: its own flags, variables, the config file. */
export const configFor = (env: Env, options: CommonOptions): Promise<Config> => loadConfig(env, flagsOf(options));

/** What the commands of this process work with. */
export function createCliFactory(env: Env): CliFactory {
  const output = ({ json }: Pick<CommonOptions, "json">): Output =>
    createOutput({
      isJson: json === true,
      isTerminal: process.stdout.isTTY === true,
      hasColour: !env.NO_COLOR && env.TERM !== "dumb",
      width: process.stdout.columns || 80,
      now: systemClock.now,
    });
  return {
    output,
    async use(options, work, needs = {}) {
      const config = await configFor(env, options);
      const gathered = evidenceFor(options, env, needs);
      const { call: plain, stream, url, stop } = await connect(env, config, needs);
      const call = withSpinner(plain);
      try {
        const caller = Whoami.safeParse(await call("GET", "/api/v1/whoami")).data;
        if (!caller) throw new Unreachable(`What answers at ${url ?? config.data} is no Cairn. Correct CAIRN_URL.`);
        if (isNoKeyHere(env, caller)) throw new Refused(NO_KEY, "INVALID_API_KEY", UNAUTHORIZED);
        const tenant_id = options.tenant ?? caller.tenant_id ?? "default";
        const agent_id = options.agent ?? caller.agent_id;
        const out = output(options);
        const found = await projectFor({ call, tenant_id, out }, gathered, needs);
        return await work({ call, stream, url, data: config.data, tenant_id, agent_id, ...found, out });
      } finally {
        await stop();
      }
    },
  };
}

const UNAUTHORIZED = 401;
const NO_KEY = "CAIRN_KEY holds no key of this Cairn. Unset it, or make one with `cairn keys create`.";

/** Whether what is here takes whoever calls for its owner, as it has never heard of the key that they show. */
const isNoKeyHere = (env: Env, { auth_source }: Whoami): boolean =>
  auth_source === "standalone" && keyOf(env) !== undefined && remoteOf(env) === null;

function connect(env: Env, config: Config, { noModel = false }: Needs): Promise<Connection> {
  const remote = remoteOf(env);
  if (remote) return Promise.resolve(connectTo(remote));
  const { data } = config;
  const key = keyOf(env);
  const open = async (): Promise<Connection> => {
    // Most commands find a server and need none of this.
    const [{ createApp }, { hashEmbedder }] = await Promise.all([
      import("../app.ts"),
      import("../ai/models/hash-embedder.ts"),
    ]);
    const own = ownConfig(config);
    const app = await namingHolder(data, () =>
      createApp(own, silentLogger, noModel ? { embedder: hashEmbedder() } : {}),
    );
    const { call, stream } = key === undefined ? app : speakingWith(app, key);
    if (noModel) return { call, stream, url: null, stop: app.stop };
    await queueRereading(app.services);
    app.runner.start();
    await inTime(app.services.embedder.ready());
    // What was written is to be found by the next command, too.
    const stop = () => inTime(app.runner.finish()).then(app.stop);
    return { call, stream, url: null, stop };
  };
  return connectLocally(placeOf(config), open, key);
}

/** Calls an app for the owner of a key, as a server would be called. */
function speakingWith(app: App, key: string): Pick<Connection, "call" | "stream"> {
  const shown: readonly [string, Readonly<Record<string, string>>] = ["http://localhost", { "X-API-Key": key }];
  return {
    call: callThrough(...shown, (request) => app.handle(request)),
    stream: streamThrough(...shown, (request) => app.handle(request)),
  };
}

/** How long a command that opened a folder itself waits for its model, and for the jobs that it left. */
const WITHIN_MS = 10_000;

/**
 * Waits for work, but not for ever; what it fails at is told where it is asked for. The timer also keeps this process alive: the
 * model's thread does not.
 */
const inTime = (work: Promise<unknown>): Promise<unknown> =>
  within(
    work.catch(() => undefined),
    WITHIN_MS,
    () => undefined,
  );
