import { existsSync } from "node:fs";
import type { FileResult } from "./apply.ts";
import { actionOf, applyAll } from "./apply.ts";
import { unifiedDiff } from "./diff.ts";
import { SetupError } from "./error.ts";
import type { Change } from "./files.ts";
import type { Ground } from "./ground.ts";
import type { Machine } from "./harness.ts";
import type { HarnessName } from "./harnesses.ts";
import { HARNESS_NAMES, HARNESSES } from "./harnesses.ts";
import { notesFor } from "./notes.ts";
import type { Planned } from "./plan.ts";
import { planFile } from "./plan.ts";
import { isSetUpOn, ownOf, planAgentsFileRemoval, planProjectFile, planProjectFileRemoval } from "./project-file.ts";
import type { Wish } from "./wish.ts";
import { wantedAgentsFile, wantedFor } from "./wish.ts";

/** What the command line asks for. */
export interface SetupRequest {
  readonly target: HarnessName | "all";
  readonly wish: Wish;
  readonly agents_md: boolean;
  readonly dry_run: boolean;
  /** Whether the project is told by nothing yet, so that a file is to tell it. */
  readonly tell_project: boolean;
}

/** What a set-up needs of the world besides files. */
export interface SetupEnvironment {
  readonly machine: Machine;
  /** Whether a command of this name can be run. */
  readonly has: (command: string) => boolean;
  readonly stamp: string;
  /** Cairn's own folder of the backups of files in repositories. */
  readonly backups: string;
  /** Shows the changes before they are made, or that would be. */
  readonly show: (diffs: readonly string[]) => void;
  /** Whether they are to be made. */
  readonly agrees: () => Promise<boolean>;
}

/** What came of one harness, or of the files of the project. */
export interface UnitResult {
  readonly name: string;
  readonly title: string;
  readonly files: readonly FileResult[];
  readonly notes: readonly string[];
}

export interface SetupResult {
  readonly units: readonly UnitResult[];
  /** Those of `all` that were passed over, and what a removal leaves in place; and why. */
  readonly skipped: readonly { readonly name: string; readonly why: string }[];
  /** False when nothing was written: a dry run, a no, or nothing but failures. */
  readonly written: boolean;
  readonly diffs: readonly string[];
}

/** The unit of the files that no harness owns. */
const PROJECT = "project";

interface Unit {
  readonly name: string;
  readonly title: string;
  readonly ground: Ground;
  readonly planned: readonly Planned[];
  readonly notes: readonly string[];
}

/** Sets up, or takes back, and says what came of each file. Files at fault stay as they are. Throws SetupError for a wish that none can fulfil. */
export async function runSetup(request: SetupRequest, surroundings: SetupEnvironment): Promise<SetupResult> {
  const { wish } = request;
  if (!wish.remove && wish.project !== null && EXPANDED.test(wish.project)) {
    throw new SetupError(
      `The project's name '${wish.project}' holds one of $ % { }, which harnesses replace by what is in the environment or in files. Choose another name.`,
    );
  }
  if (wish.transport === "http" && wish.project !== null && !IN_HEADER.test(wish.project)) {
    throw new SetupError(`The project's name '${wish.project}' cannot be sent over HTTP. Leave out --http.`);
  }
  const { names, skipped } = chosen(request, surroundings);
  const units = [
    ...names.map((name) => unitOf(name, wish, surroundings)),
    ...projectUnits(request, surroundings, names),
  ];
  const diffs = units.flatMap(({ planned }) => (isSound(planned) ? planned.flatMap(diffOf) : []));
  if (diffs.length > 0) surroundings.show(diffs);
  const isDone = diffs.length > 0 && !request.dry_run && (await surroundings.agrees());
  const results = units.map((unit) => resultOf(unit, surroundings.stamp, isDone));
  const written = isDone && results.some(({ files }) => files.some(({ action }) => WRITTEN.includes(action)));
  return { units: results, skipped: [...skipped, ...remaining(request, surroundings, names)], written, diffs };
}

const WRITTEN: readonly FileResult["action"][] = ["created", "changed", "removed"];

/** What begins or ends a variable in the settings of some harness: `${NAME}`, `$NAME`, `{env:NAME}`, `{file:PATH}`, `%NAME%`. */
const EXPANDED = /[$%{}]/;

/** What a header may hold everywhere. */
const IN_HEADER = /^[\x20-\x7e]+$/;

type Chosen = { names: HarnessName[]; skipped: { name: string; why: string }[] };

function chosen({ target, wish }: SetupRequest, surroundings: SetupEnvironment): Chosen {
  if (target !== "all") {
    if (wantedFor(target, surroundings.machine, wish)) return { names: [target], skipped: [] };
    throw new SetupError(`${HARNESSES[target].title} has no settings of a project. Run it without --project.`);
  }
  const skipped = HARNESS_NAMES.flatMap((name) => {
    const { title, command, trace } = HARNESSES[name];
    if (!isFound(name, surroundings))
      return [{ name, why: `not found: no ${trace(surroundings.machine)}, no command ${command}` }];
    return wantedFor(name, surroundings.machine, wish) ? [] : [{ name, why: `${title} has no settings of a project` }];
  });
  const names = HARNESS_NAMES.filter((name) => !skipped.some((one) => one.name === name));
  if (names.length > 0) return { names, skipped };
  throw new SetupError(`None of the harnesses was found here. Name one: ${HARNESS_NAMES.join(", ")}.`);
}

const isFound = (name: HarnessName, { machine, has }: SetupEnvironment): boolean =>
  existsSync(HARNESSES[name].trace(machine)) || has(HARNESSES[name].command);

function unitOf(name: HarnessName, wish: Wish, surroundings: SetupEnvironment): Unit {
  const { title } = HARNESSES[name];
  const ground = wish.scope === "project" ? repositoryOf(surroundings) : ownOf(surroundings.machine);
  const planned = (wantedFor(name, surroundings.machine, wish) ?? []).map((one) => planFile(one, ground));
  const notes = notesFor(name, wish, { isFound: isFound(name, surroundings), has: surroundings.has });
  return { name, title, ground, planned, notes };
}

const repositoryOf = ({ machine, backups }: SetupEnvironment): Ground => ({
  kind: "repository",
  root: machine.project,
  backups,
});

function projectUnits(request: SetupRequest, surroundings: SetupEnvironment, names: readonly HarnessName[]): Unit[] {
  const ground = repositoryOf(surroundings);
  const planned = request.wish.remove
    ? projectRemovals(request, surroundings, names)
    : projectFiles(request, surroundings);
  return planned.length === 0 ? [] : [{ name: PROJECT, title: "Project", ground, planned, notes: [] }];
}

function projectFiles({ wish, agents_md, tell_project }: SetupRequest, surroundings: SetupEnvironment): Planned[] {
  const ground = repositoryOf(surroundings);
  const isToTell = wish.scope === "project" && tell_project;
  return [
    ...(agents_md ? [planFile(wantedAgentsFile(surroundings.machine, false), ground)] : []),
    ...(isToTell && wish.project !== null ? [planProjectFile(wish.project, ground)] : []),
  ];
}

/** What no harness owns goes with the last one; the block in AGENTS.md also where it is named. */
function projectRemovals(
  { wish: { scope }, agents_md }: SetupRequest,
  surroundings: SetupEnvironment,
  names: readonly HarnessName[],
): Planned[] {
  const { machine } = surroundings;
  const ground = repositoryOf(surroundings);
  const leaving = { machine, scope, names };
  const block = agents_md ? planFile(wantedAgentsFile(machine, true), ground) : planAgentsFileRemoval(leaving, ground);
  const file = scope === "project" ? planProjectFileRemoval(leaving, ground) : null;
  return [block, file].filter((one) => one !== null);
}

/** What a removal leaves in place, for it was asked about one place only. */
function remaining(
  { wish: { scope, remove } }: SetupRequest,
  surroundings: SetupEnvironment,
  names: readonly HarnessName[],
) {
  if (!remove) return [];
  const { machine } = surroundings;
  const isOfProject = scope === "project";
  const other = isOfProject ? ownOf(machine) : repositoryOf(surroundings);
  return names
    .filter((name) => isSetUpOn(name, machine, other))
    .map((name) => ({
      name,
      why: isOfProject
        ? `its set-up in your own settings stays: cairn setup ${name} --remove`
        : `its set-up in this project stays: cairn setup ${name} --project --remove`,
    }));
}

/** Of a harness with a file at fault no file is changed: half a set-up would be harder to mend than none. */
const isSound = (planned: readonly Planned[]): planned is readonly Change[] =>
  planned.every((one) => !("fault" in one));

const diffOf = (planned: Planned): string[] =>
  "fault" in planned || planned.before === planned.after ? [] : [unifiedDiff(planned)];

function resultOf({ name, title, ground, planned, notes }: Unit, stamp: string, isDone: boolean): UnitResult {
  if (!isSound(planned)) {
    const files = planned.map((one): FileResult => {
      if ("fault" in one) return { file: one.file, action: "failed", fault: `${one.fault}. It was left as it is.` };
      return { file: one.file, action: "unchanged" };
    });
    return { name, title, files, notes: [] };
  }
  if (!isDone) return { name, title, files: planned.map((one) => ({ file: one.file, action: actionOf(one) })), notes };
  const files = applyAll(planned, { ground, stamp });
  return { name, title, files, notes: files.some(({ action }) => action === "failed") ? [] : notes };
}
