import { platform } from "node:os";
import { databaseNamed, readDatabaseAddress, urlOf } from "../../core/kernel/address.ts";
import type { Clock } from "../../core/kernel/clock.ts";
import { isEmbedded } from "../../core/kernel/files/embedded-files.ts";
import type { ProgressLine } from "../progress.ts";
import { progressLine } from "../progress.ts";
import { runningServer } from "../server/local.ts";
import type { Machine } from "../setup/harness.ts";
import { selfCommand } from "../setup/place.ts";
import { inspectAgents } from "./agents.ts";
import type { Program } from "./binary.ts";
import type { Connect } from "./connection.ts";
import type { DoctorFinding } from "./finding.ts";
import type { ModelFiles } from "./models.ts";
import type { Endpoint } from "./network.ts";
import { endpointsOf } from "./network.ts";

/** What is examined. */
export interface DoctorTarget {
  readonly program: Program;
  /** The data folder; null where the server is on another machine, and its folder with it, or a database keeps the data. */
  readonly folder: string | null;
  /** That database, as messages name it; null where none is named. */
  readonly database: string | null;
  /** Where a server would listen. */
  readonly host: string;
  readonly port: number;
  readonly endpoints: readonly Endpoint[];
  /** This user's number; null where users have none. */
  readonly uid: number | null;
  readonly clock: Clock;
  readonly modelFiles: () => ModelFiles;
  readonly inspectAgents: () => DoctorFinding[];
  readonly connect: Connect;
  readonly progress: ProgressLine;
  readonly signal: AbortSignal;
}

/** What is left to tell where the settings of a server cannot be read: where everything is, is one of them. */
export interface NoSettings {
  /** What is wrong with them, with the place where it is written. */
  readonly settings_fault: string;
}

/** What the doctor goes by of a server's settings. */
interface Settings {
  readonly data: string;
  readonly host: string;
  readonly port: number;
  readonly llm_base_url?: string | undefined;
  readonly redis_url?: string | undefined;
  readonly database_url?: string | undefined;
}

/** What an examination needs from the rest of the program. */
export interface Means {
  readonly config: Settings;
  readonly env: Machine["env"];
  readonly home: string;
  /** The server that CAIRN_URL names; null for this machine's own. */
  readonly remote: string | null;
  readonly release: string;
  /** Path of the program's own first file. */
  readonly source: string;
  readonly clock: Clock;
  readonly modelFiles: () => ModelFiles;
  readonly connect: Connect;
  readonly signal: AbortSignal;
}

const POSTGRES_PORT = 5432;

/** Where a database's servers are reached over the network. */
const hostsOf = (url: string | undefined): { readonly host: string; readonly port: number }[] =>
  (readDatabaseAddress(url ?? "")?.hosts ?? []).flatMap(({ host, port }) =>
    host.startsWith("/") ? [] : [{ host, port: port ?? POSTGRES_PORT }],
  );

/** This machine, this user and this configuration, as the doctor looks at them. */
export function doctorTargetOf({ config, env, home, remote, release, source, ...means }: Means): DoctorTarget {
  const { data, host, port, llm_base_url, redis_url, database_url } = config;
  const database = remote === null && database_url !== undefined ? databaseNamed(database_url) : null;
  const compiled = isEmbedded(source);
  const os = platform();
  const machine: Machine = {
    platform: os === "darwin" || os === "win32" ? os : "linux",
    home,
    project: process.cwd(),
    env,
  };
  return {
    ...means,
    program: { release, platform: os, arch: process.arch, path: compiled ? process.execPath : source, compiled },
    folder: remote === null && database === null ? data : null,
    database,
    host,
    port,
    endpoints: [
      ...endpointsOf({ "a language model": llm_base_url, "a Redis": redis_url }),
      ...hostsOf(database_url).map((place) => ({ name: "a database", ...place })),
    ],
    uid: process.getuid?.() ?? null,
    inspectAgents: () => {
      const url = remote ?? runningServer({ data, database })?.url ?? urlOf(host, port);
      return inspectAgents({ machine, url, self: selfCommand(env), has: (command) => Bun.which(command) !== null });
    },
    progress: progressLine("doctor"),
  };
}
