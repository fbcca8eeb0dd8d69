import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { Machine } from "../../src/cli/setup/harness.ts";
import type { HarnessName } from "../../src/cli/setup/harnesses.ts";
import type { SetupEnvironment, SetupRequest, SetupResult } from "../../src/cli/setup/run.ts";
import { runSetup } from "../../src/cli/setup/run.ts";
import type { Wish } from "../../src/cli/setup/wish.ts";

export const WISH: Wish = {
  scope: "user",
  transport: "stdio",
  remove: false,
  hooks: "normal",
  self: ["/opt/cairn/cairn"],
  flags: [],
  shared_flags: [],
  url: "http://127.0.0.1:7700/mcp",
  is_local: true,
  key: false,
  project: null,
};

/** A home and a project of its own, removed with it. */
export interface Sandbox extends Disposable {
  readonly machine: Machine;
  readonly put: (file: string, text: string | null) => void;
  /** Every file below the sandbox by its path from it, but for backups when asked. */
  readonly all: (options?: { backups?: boolean }) => Record<string, string>;
  readonly run: (
    target: HarnessName | "all",
    wish?: Partial<Wish>,
    request?: Partial<SetupRequest>,
  ) => Promise<SetupResult>;
}

export function sandbox(overrides: Partial<SetupEnvironment> = {}): Sandbox {
  const folder = mkdtempSync(join(tmpdir(), "cairn-setup-"));
  const machine: Machine = { platform: "linux", home: join(folder, "home"), project: join(folder, "project"), env: {} };
  mkdirSync(machine.home);
  mkdirSync(machine.project);
  let seconds = 0;
  return {
    machine,
    put: (file, text) => {
      if (text === null) return;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    all: ({ backups = false } = {}) =>
      Object.fromEntries(
        filesIn(folder)
          .filter((file) => backups || !file.includes(".cairn-backup-"))
          .map((file) => [relative(folder, file), readFileSync(file, "utf8")]),
      ),
    run: (target, wish = {}, request = {}) => {
      seconds++;
      const surroundings: SetupEnvironment = {
        machine,
        has: () => false,
        backups: join(folder, "backups"),
        stamp: `20261123-1200${String(seconds).padStart(2, "0")}`,
        show: () => {},
        agrees: async () => true,
        ...overrides,
      };
      const whole = {
        target,
        wish: { ...WISH, ...wish },
        agents_md: false,
        dry_run: false,
        tell_project: false,
        ...request,
      };
      return runSetup(whole, surroundings);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .flatMap((entry) => (entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)]))
    .sort();
}
