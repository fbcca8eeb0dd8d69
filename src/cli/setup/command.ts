import { homedir } from "node:os";
import { createInterface } from "node:readline/promises";
import { isLoopback, withoutCredentials } from "../../core/kernel/address.ts";
import { systemClock, toTimestamp } from "../../core/kernel/clock.ts";
import { nearestWord } from "../../core/kernel/text.ts";
import { personOf } from "../../projects/folder/person.ts";
import type { CommonOptions } from "../connect.ts";
import type { HookLevel } from "../hook/level.ts";
import { DEFAULT_LEVEL } from "../hook/level.ts";
import type { Output } from "../output.ts";
import { UsageError } from "../usage.ts";
import { describeResult, paintDiff } from "./describe.ts";
import { SetupError } from "./error.ts";
import type { Machine } from "./harness.ts";
import type { HarnessName } from "./harnesses.ts";
import { HARNESS_NAMES } from "./harnesses.ts";
import { commandAt, projectFolder, selfCommand } from "./place.ts";
import { namingIn } from "./project-name.ts";
import { runSetup } from "./run.ts";
import { KEY_VARIABLE } from "./wish.ts";

/** What the command line says. */
export interface SetupOptions extends CommonOptions {
  readonly inProject?: boolean;
  readonly http?: boolean;
  readonly stdio?: boolean;
  /** How much hooks tell; false for none. */
  readonly hooks?: HookLevel | false;
  readonly agentsMd?: boolean;
  readonly dryRun?: boolean;
  readonly remove?: boolean;
  readonly yes?: boolean;
}

/** What a harness has to know to find the server that commands find here. */
export interface ServerPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The address of the server. */
  readonly url: string;
  /** Whether CAIRN_URL named it. */
  readonly is_named: boolean;
  /** The folder of the data, where it is not the usual one. */
  readonly data: string | null;
  /** Cairn's own folder of the backups of files in repositories. */
  readonly backups: string;
}

/** Runs `cairn setup HARNESS`. Returns whether every file could be worked with. Throws UsageError, SetupError, ProjectError. */
export async function runSetupCommand(
  harness: string,
  options: SetupOptions,
  { env, url: address, is_named, data, backups }: ServerPlace,
  out: Output,
): Promise<boolean> {
  const target = targetOf(harness);
  if (options.http && options.stdio)
    throw new UsageError("--http and --stdio exclude each other. See `cairn help setup`.");
  const url = address.replace(/(?<!\/)\/+$/, "");
  if ((options.http || is_named) && !options.remove && withoutCredentials(url) !== url)
    throw new SetupError(
      "CAIRN_URL holds a password, which would stand in the settings for others to read. Take it out of the address; a key goes into CAIRN_KEY.",
    );
  const machine = machineOf(env);
  const transport = options.http ? "http" : "stdio";
  const naming = options.inProject ? namingIn(machine.project, personOf(env), transport) : null;
  const dryRun = options.dryRun === true;
  const isLocal = isLoopback(new URL(url).hostname);
  const named = is_named ? ["--url", url] : [];
  const result = await runSetup(
    {
      target,
      agents_md: options.agentsMd === true,
      dry_run: dryRun,
      tell_project: naming?.is_new === true,
      wish: {
        scope: options.inProject ? "project" : "user",
        transport,
        remove: options.remove === true,
        hooks: levelOf(options),
        self: selfCommand(env),
        flags: [...(data === null ? [] : ["--data", data]), ...named],
        shared_flags: isLocal ? [] : named,
        url: `${url}/mcp`,
        is_local: isLocal,
        key: Boolean(env[KEY_VARIABLE]),
        project: naming?.name ?? null,
      },
    },
    {
      machine,
      has: (command) => commandAt(command, env) !== null,
      stamp: stampOf(systemClock.now()),
      backups,
      show: (diffs) => {
        if (!out.isJson) out.line(`${diffs.map((diff) => paintDiff(diff, out)).join("\n\n")}\n`);
      },
      agrees: async () => {
        if (options.yes) return true;
        if (!out.isJson && out.isTerminal && process.stdin.isTTY) return confirm("Write these changes? [Y/n] ");
        throw new UsageError(
          "Nothing was written, since nobody can be asked here: add --yes to write it, or --dry-run to see it only.",
        );
      },
    },
  );
  if (out.isJson) out.json(result);
  else out.line(describeResult(result, { dryRun, home: machine.home }));
  return result.units.every(({ files }) => files.every(({ action }) => action !== "failed"));
}

const levelOf = ({ hooks = DEFAULT_LEVEL }: SetupOptions): HookLevel | null => (hooks === false ? null : hooks);

function targetOf(word: string): HarnessName | "all" {
  const known = [...HARNESS_NAMES, "all"] as const;
  const target = known.find((name) => name === word);
  if (target) return target;
  const near = nearestWord(word, known);
  throw new UsageError(
    `There is no harness '${word}'. ${near ? `Did you mean 'cairn setup ${near}'?` : `Name one of ${known.join(", ")}.`}`,
  );
}

function machineOf(env: Machine["env"]): Machine {
  const platform = process.platform === "darwin" || process.platform === "win32" ? process.platform : "linux";
  return { platform, home: homedir(), env, project: projectFolder(process.cwd(), personOf(env)) };
}

/** `YYYYMMDD-HHMMSS`, in UTC. */
function stampOf(now: number): string {
  const digits = toTimestamp(now).replace(/\D/g, "");
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}`;
}

/** Anything but a no is a yes; the end of input is a no. */
async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const closed = new Promise<string>((resolve) => lines.once("close", () => resolve("no")));
    return !/^\s*n/i.test(await Promise.race([lines.question(question), closed]));
  } finally {
    lines.close();
  }
}
