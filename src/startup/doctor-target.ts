import { homedir } from "node:os";
import { join } from "node:path";
import { callThrough } from "../cli/call.ts";
import type { CommonOptions, Remote } from "../cli/connect.ts";
import { announced, connectLocally, connectTo } from "../cli/connect.ts";
import type { Connect, Connection } from "../cli/doctor/connection.ts";
import type { ModelFiles } from "../cli/doctor/models.ts";
import type { DoctorTarget, NoSettings } from "../cli/doctor/target.ts";
import { namingHolder } from "../cli/server/folder-holder.ts";
import { holderOfPort } from "../cli/server/holder.ts";
import { runningServer } from "../cli/server/local.ts";
import { ConfigError } from "../config/error.ts";
import type { Config } from "../config/load.ts";
import { remoteOf } from "../config/load.ts";
import { isLoopback } from "../core/kernel/address.ts";
import { systemClock } from "../core/kernel/clock.ts";
import { silentLogger } from "../core/kernel/log.ts";
import { unlessAborted } from "../core/kernel/unless-aborted.ts";
import { RELEASE } from "../version.ts";
import { queueRereading } from "./background-jobs.ts";
import type { Env } from "./factory.ts";
import { configFor } from "./factory.ts";
import { ownConfig, placeOf } from "./place.ts";

/** What `cairn doctor` examines with these options; settings that cannot be read are a finding, too. */
export async function doctorTargetFor(
  env: Env,
  options: CommonOptions,
  signal: AbortSignal,
): Promise<DoctorTarget | NoSettings> {
  try {
    return await patientWith(await configFor(env, options), env, signal);
  } catch (error) {
    if (error instanceof ConfigError) return { settings_fault: error.message };
    throw error;
  }
}

async function patientWith(config: Config, env: Env, signal: AbortSignal): Promise<DoctorTarget> {
  const remote = remoteOf(env);
  const { doctorTargetOf } = await import("../cli/doctor/target.ts");
  const models = await import("../ai/open.ts");
  const files = await import("../ai/models/files.ts");
  const modelFiles = (): ModelFiles => ({
    models: models.MODELS,
    faults: models.MODELS.flatMap((id) => files.checkModelFiles(files.modelFolder(id), { digests: true })),
  });
  return doctorTargetOf({
    config,
    env,
    home: env.HOME || homedir(),
    remote: remote?.url ?? null,
    release: RELEASE,
    source: join(import.meta.dir, "..", "main.ts"),
    clock: systemClock,
    modelFiles,
    connect: remote ? (work) => work(connectionTo(remote, pidAt(remote.url))) : connectHere(config),
    signal,
  });
}

function connectionTo(server: Remote, pid: number | null): Connection {
  const within = (tenant_id: string) => connectTo({ ...server, headers: { "X-Tenant-ID": tenant_id } }).call;
  return { via: "server", pid, call: connectTo(server).call, within };
}

/** The process that listens where an address of this machine leads. */
function pidAt(url: string): number | null {
  const { hostname, port, protocol } = new URL(url);
  return isLoopback(hostname) ? holderOfPort(Number(port || (protocol === "https:" ? 443 : 80))) : null;
}

/** So long the work may go on that an examination or a repair left; what is not done by then is taken up at the next start. */
const JOBS_WITHIN_MS = 5_000;

/** The server that has the folder, else the folder itself, with the jobs of what is written meanwhile. */
const connectHere =
  (config: Config): Connect =>
  async (work) => {
    const own: { connection?: Connection } = {};
    const place = placeOf(config);
    const connection = await connectLocally(place, async () => {
      const { createApp } = await import("../app.ts");
      const app = await namingHolder(config.data, () => createApp(ownConfig(config), silentLogger));
      await queueRereading(app.services);
      app.runner.start();
      // Nobody is asked for a key here.
      const within = (tenant_id: string) =>
        callThrough("http://localhost", { "X-Tenant-ID": tenant_id }, (request) => app.handle(request));
      own.connection = { via: "folder", pid: process.pid, call: app.call, within };
      const stop = async () => {
        // Jobs that fail are told of; they do not keep the folder open.
        await unlessAborted(app.runner.finish(), AbortSignal.timeout(JOBS_WITHIN_MS)).catch(() => undefined);
        await app.stop();
      };
      return { call: app.call, stream: app.stream, url: null, stop };
    });
    try {
      const running = runningServer(place);
      if (own.connection) return await work(own.connection);
      if (running === null) throw new Error("The server has stopped just now.");
      return await work(connectionTo(announced(running), running.pid));
    } finally {
      await connection.stop();
    }
  };
