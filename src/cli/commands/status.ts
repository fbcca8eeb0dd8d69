import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { AppError } from "../../core/kernel/errors.ts";
import { counted } from "../../core/kernel/text.ts";
import { Counters, Status } from "../../core/schema/system.ts";
import { padTo } from "../columns.ts";
import type { Cli, CliFactory, CommonOptions } from "../connect.ts";
import { common } from "../program.ts";
import { holderOfFolder, isAlive } from "../server/holder.ts";
import type { Place, RunningServer } from "../server/local.ts";
import { answeringServer, isOwnServer, runningServer } from "../server/local.ts";
import { UsageError } from "../usage.ts";
import { conflictCounts, sayCounts } from "./memory/conflicts.ts";

/** How long `stop` waits for a server to finish what it does, and how often it looks. */
const STOP_LIMIT_MS = 15_000;
const POLL_MS = 50;

/** `cairn status` and `cairn stop`; `placeOf` names the data. */
export function addStatus(
  program: Command,
  cli: CliFactory,
  placeOf: (options: CommonOptions) => Promise<Place>,
  isRemote: boolean,
): void {
  common(program.command("status"), "cairn status --json")
    .description("is a server running, and what does it hold?")
    .action(async (options: CommonOptions) => {
      const place = await placeOf(options);
      const server = isRemote ? null : await itsServer(place);
      if (!isRemote && server === null) return notRunning(cli, options, place);
      await cli.use(options, (one) => showStatus(one, server));
    });
  common(program.command("stop"), "cairn stop")
    .description("stop the server of the data folder")
    .action(async (options: CommonOptions) => {
      if (isRemote)
        throw new UsageError("CAIRN_URL names a server elsewhere; `cairn stop` ends only one of this machine.");
      await stop(cli, options, await placeOf(options));
    });
}

/**
 * The server that announced itself, if its process is still that server's: it has the folder's lock, or proves itself. Another
 * program may have the number of one that was killed.
 */
async function itsServer(place: Place): Promise<RunningServer | null> {
  const server = runningServer(place);
  if (!server || !isAlive(server.pid)) return null;
  const hasLock = server.database === undefined && holderOfFolder(place.data) === server.pid;
  return hasLock ? server : answeringServer(place);
}

function notRunning(cli: CliFactory, options: CommonOptions, place: Place): void {
  const out = cli.output(options);
  const { data, database } = place;
  process.exitCode = 1;
  if (out.isJson) {
    out.json({ running: false, ...told(place) });
    return;
  }
  const way = `Start one with \`cairn\`; other commands open the ${database === null ? "folder" : "database"} themselves.`;
  out.line(`No server ${database === null ? `runs on ${data}` : `of this machine runs on ${database}`}. ${way}`);
}

/** What the JSON says of where the data is. */
const told = ({ data, database }: Place) => (database === null ? { data } : { data, database });

async function showStatus(cli: Cli, server: RunningServer | null): Promise<void> {
  const { call, url, data, out } = cli;
  const { pid = null, database = null } = server ?? {};
  const status = Status.parse(await call("GET", "/api/v1/status"));
  const counters = Counters.parse(await call("GET", "/api/v1/stats"));
  const conflicts = await conflictCounts(cli);
  const bytes = pid === null || database !== null ? null : sizeOf(data);
  if (status.health !== "ok") process.exitCode = 1;
  if (out.isJson)
    return out.json({
      running: true,
      url,
      mcp: `${url}/mcp`,
      pid,
      data: pid === null ? null : data,
      ...(database === null ? {} : { database }),
      bytes,
      counters,
      conflicts,
      ...status,
    });
  const waiting =
    status.jobs === null
      ? ""
      : `${counted(status.jobs.due + status.jobs.running, "job")}, ${counted(status.jobs.embedding_pending, "memory", "memories")} without vectors`;
  const lines: readonly (readonly [string, string])[] = [
    [
      "Cairn",
      `${status.release}, ${out.style(status.health === "ok" ? "green" : "red", status.health)}, up ${spanOf(status.uptime_seconds)}`,
    ],
    ["API", `${url}/api/v1`],
    ["MCP", `${url}/mcp`],
    ["Memories", `${counters.memory_count} of ${counted(counters.agent_count, "agent")}`],
    ["Conflicts", conflicts.open_count === 0 ? "" : `${sayCounts(conflicts)} See \`cairn contradictions\`.`],
    ["Waiting", waiting],
    ["Model", `${status.embedding.model ?? "none"}, ${status.embedding.phase}`],
    ["Data", pid === null ? "" : `${database ?? sizeText(data, bytes)}, process ${pid}`],
  ];
  out.line(lines.flatMap(([name, text]) => (text === "" ? [] : [`${padTo(name, 9)} ${text}`])).join("\n"));
}

const sizeText = (data: string, bytes: number | null): string => `${data}, ${((bytes ?? 0) / 1_048_576).toFixed(1)} MB`;

/** Bytes of the data file and its log. */
function sizeOf(data: string): number {
  const files = ["cairn.db", "cairn.db-wal"].map((name) => join(data, name));
  return files.filter((path) => existsSync(path)).reduce((sum, path) => sum + statSync(path).size, 0);
}

function spanOf(seconds: number): string {
  const units = [
    ["d", 86_400],
    ["h", 3_600],
    ["min", 60],
  ] as const;
  const unit = units.find(([, size]) => seconds >= size);
  return unit ? `${Math.floor(seconds / unit[1])} ${unit[0]}` : `${Math.floor(seconds)} s`;
}

async function stop(cli: CliFactory, options: CommonOptions, place: Place): Promise<void> {
  const out = cli.output(options);
  const server = await itsServer(place);
  const served = server?.database ?? place.database ?? place.data;
  const announced = runningServer(place);
  if (!server && announced && isAlive(announced.pid))
    throw new AppError(
      "CONFLICT",
      `Process ${announced.pid} has the number of the server of ${served}, but neither its folder nor a proof that it is that server: it was left alone. ` +
        `If it is Cairn (of an earlier release, say), end it with kill ${announced.pid}; else remove ${join(place.data, "server.json")}.`,
    );
  if (!server) {
    if (out.isJson) return out.json({ stopped: false, running: false, ...told(place) });
    return out.line(`No server ${place.database === null ? "" : "of this machine "}runs on ${served}.`);
  }
  if (!isOwnServer(place, server))
    throw new AppError(
      "CONFLICT",
      `Process ${server.pid} was left alone: it, or the file that names it in ${place.data}, belongs to another account. Stop the server as its owner.`,
    );
  process.kill(server.pid, "SIGTERM");
  const deadline = performance.now() + STOP_LIMIT_MS;
  while (isAlive(server.pid)) {
    if (performance.now() > deadline)
      throw new Error(
        `Process ${server.pid} has not ended yet. Look at its log, or end it with kill -9 ${server.pid}: nothing acknowledged is lost.`,
      );
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
  if (out.isJson) return out.json({ stopped: true, pid: server.pid, ...told(place) });
  out.line(`Stopped process ${server.pid}, which served ${served}.`);
}
