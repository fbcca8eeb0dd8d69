import { existsSync } from "node:fs";
import { join } from "node:path";
import { isRunning } from "../../core/kernel/processes.ts";
import { holderOfFolder, processNamed } from "../server/holder.ts";
import { runningServer } from "../server/local.ts";
import type { DoctorFinding } from "./finding.ts";
import { about } from "./finding.ts";

const SERVER_FILE = "server.json";

/** What a data folder says of who uses it. */
export interface Use {
  /** Path of the file in which a server says how it is reached; null where there is none. */
  readonly file: string | null;
  /** The process that the file names; null where it names none. */
  readonly pid: number | null;
  readonly alive: boolean;
  /** The process that has the folder's lock; null where nobody has it, or nobody can say. */
  readonly holder: number | null;
  /** Whether it serves a database, and has nothing else of the folder. */
  readonly isOfDatabase: boolean;
  /** Whether a lock that nobody seems to have is really free. */
  readonly tellsHolders: boolean;
}

/**
 * What uses a data folder: the file in which a server announced itself, whether its process lives, and who holds the lock.
 */
export function useOf(folder: string): Use {
  const path = join(folder, SERVER_FILE);
  const server = runningServer({ data: folder, database: null });
  const pid = server?.pid ?? null;
  return {
    file: existsSync(path) ? path : null,
    pid,
    isOfDatabase: server?.database !== undefined,
    alive: pid !== null && isRunning(pid),
    holder: holderOfFolder(folder),
    tellsHolders: existsSync("/proc/locks"),
  };
}

/** Whether the file is left from a server that is gone: it misleads, and nobody needs it. */
export const isStale = ({ file, pid, alive, holder, tellsHolders, isOfDatabase }: Use): boolean =>
  file !== null && (pid === null || !alive || (tellsHolders && !isOfDatabase && holder !== pid));

/** Whether what the folder says of its server is so, and who has its lock. */
export function inspectUse(use: Use): DoctorFinding[] {
  const { file, pid, holder } = use;
  const announced = about("server", "announcement");
  const lock = about("server", "lock");
  const findings: DoctorFinding[] = [];
  if (file !== null && isStale(use)) {
    findings.push(
      announced.fault(
        `${file} names ${pid === null ? "no server" : `process ${pid}, which does not serve this folder`}.`,
        {
          why: "Commands look for the server where it no longer is.",
          repair: `rm ${file}`,
          fix: "remove_announcement",
        },
      ),
    );
  } else
    findings.push(file === null ? announced.note("no server says that it runs") : announced.well(`process ${pid}`));
  if (holder === null) return [...findings, lock.well(use.tellsHolders ? "free" : "nobody is seen to have it")];
  if (holder === pid) return [...findings, lock.well(`held by ${processNamed(holder)}`)];
  return [
    ...findings,
    lock.fault(`${processNamed(holder)} has the folder, and cannot be called.`, {
      why: "One process at a time may use a data folder: no server can start, and no command can open it.",
      repair: `kill ${holder}`,
    }),
  ];
}
