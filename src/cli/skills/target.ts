import { mkdirSync, readdirSync, realpathSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { sha256 } from "../../core/kernel/hash.ts";
import { SLUG } from "../../core/schema/common.ts";
import { FOLDER_MODE, kindAt, SkillSyncError, textAt, writeWhole } from "./file.ts";
import { isBehindLink, requireWithinRepository } from "./within-repository.ts";

/** The file in a target that says which folders of it are ours. */
export const MANIFEST = ".cairn-skills.json";
const SKILL_FILE = "SKILL.md";

const Manifest = z.object({
  version: z.literal(1),
  /** The hash of each file as it was written. */
  skills: z.record(z.string().regex(SLUG), z.object({ sha256: z.string() })),
});
type Owned = z.infer<typeof Manifest>["skills"];

export interface TargetFolder {
  readonly dir: string;
  readonly mode: "owned" | "additive";
}

/** A target, and the home folder of whom it is brought in line for. */
export interface Target extends TargetFolder {
  readonly home: string;
}

export interface Step {
  readonly action: "write" | "update" | "remove" | "keep" | "skip";
  readonly name: string;
  /** Why something is left alone. */
  readonly why?: string;
}

export interface Plan {
  /** The folder itself, links resolved; null while it does not exist. */
  readonly dir: string | null;
  readonly steps: readonly Step[];
  readonly owned: Owned;
}

/** Texts of the skills that a target should hold, by name. */
export type Wanted = ReadonlyMap<string, string>;

/**
 * What a synchronisation would do to one folder. Reads only. Throws SkillSyncError for a manifest that is none, and for a folder
 * within a repository that leads out of it.
 */
export function planTarget({ dir, mode, home }: Target, wanted: Wanted, { prune }: { prune: boolean }): Plan {
  requireWithinRepository(dir, home);
  if (kindAt(dir) === "nothing") return { dir: null, owned: {}, steps: [...wanted.keys()].map(writing) };
  const root = realpathSync(dir);
  if (kindAt(root) !== "folder") throw new SkillSyncError(`${dir} is no folder.`);
  const owned = readManifest(root);
  // What lies behind a link is not plainly meant: somebody else may have made it.
  const isLinked = isBehindLink(dir, home);
  const isPruned = mode === "owned" && prune;
  const takesOver = isPruned && !isLinked;
  const kept = [...wanted].map(([name, text]) => placed({ at: root, mode, owned, takesOver }, name, text));
  const gone = Object.keys(owned).filter((name) => !wanted.has(name));
  const removed = gone.map((name) => removal({ at: root, mode, owned, takesOver }, name));
  const strangers = isPruned ? foreignSkills(root).filter((name) => !wanted.has(name) && !(name in owned)) : [];
  const pruned = strangers.map((name): Step => (isLinked ? { action: "skip", name, why: LINKED } : removing(name)));
  return { dir: root, owned, steps: [...kept, ...removed, ...pruned] };
}

const writing = (name: string): Step => ({ action: "write", name });
const removing = (name: string): Step => ({ action: "remove", name });
const LINKED = "somebody else wrote it, and a link leads there: name that folder itself";

interface Place extends Pick<TargetFolder, "mode"> {
  readonly at: string;
  readonly owned: Owned;
  readonly takesOver: boolean;
}

function placed({ at, mode, owned, takesOver }: Place, name: string, text: string): Step {
  const folder = kindAt(join(at, name));
  if (folder === "nothing") return { action: "write", name };
  if (folder !== "folder") return { action: "skip", name, why: "a link or a file lies there" };
  const file = join(at, name, SKILL_FILE);
  if (!["file", "nothing"].includes(kindAt(file))) return { action: "skip", name, why: `its ${SKILL_FILE} is a link` };
  const present = textAt(file);
  if (present === text) return { action: "keep", name };
  const ours = owned[name];
  if (!ours && !takesOver) return { action: "skip", name, why: "somebody else wrote it" };
  const changed = ours && present !== null && sha256(present) !== ours.sha256;
  if (changed && mode === "additive") return { action: "skip", name, why: "it was changed by hand" };
  return { action: present === null ? "write" : "update", name };
}

function removal({ at, mode, owned }: Place, name: string): Step {
  const present = kindAt(join(at, name)) === "folder" ? textAt(join(at, name, SKILL_FILE)) : null;
  if (present === null) return { action: "skip", name, why: "it is gone already, or a link lies there" };
  const changed = sha256(present) !== owned[name]?.sha256;
  if (changed && mode === "additive") return { action: "skip", name, why: "it was changed by hand; it is yours now" };
  return removing(name);
}

/** Folders of skills that lie in a target, whoever wrote them. */
const foreignSkills = (at: string): string[] =>
  readdirSync(at, { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && SLUG.test(entry.name) && kindAt(join(at, entry.name, SKILL_FILE)) === "file",
    )
    .map(({ name }) => name)
    .sort();

/** Does what the plan says, and nothing outside the folder. Writes files whole, the list of what is ours last. */
export function applyPlan({ dir, mode, home }: Target, { dir: planned, steps, owned }: Plan, wanted: Wanted): void {
  requireWithinRepository(dir, home);
  mkdirSync(dir, { recursive: true, mode: FOLDER_MODE });
  const root = realpathSync(dir);
  if (planned !== null && root !== planned) throw new SkillSyncError(`${dir} led elsewhere a moment ago. Do it again.`);
  const after: Owned = Object.fromEntries(Object.entries(owned).filter(([name]) => wanted.has(name)));
  for (const { action, name } of steps) {
    const text = wanted.get(name);
    if (action === "remove") remove(join(root, name), mode);
    if (text === undefined || action === "remove" || action === "skip") continue;
    // Looked at again: a link may have come to lie there since the plan was made.
    if (!["nothing", "folder"].includes(kindAt(join(root, name)))) continue;
    if (action !== "keep") writeWhole(join(root, name, SKILL_FILE), text);
    after[name] = { sha256: sha256(text) };
  }
  const manifest = `${JSON.stringify({ version: 1, skills: after }, null, 2)}\n`;
  if (manifest !== textAt(join(root, MANIFEST))) writeWhole(join(root, MANIFEST), manifest);
}

/** An owned target loses the whole folder; from others only our file goes, and the folder when nothing else is in it. */
function remove(folder: string, mode: TargetFolder["mode"]): void {
  if (kindAt(folder) !== "folder") return;
  if (mode === "owned") {
    rmSync(folder, { recursive: true, force: true });
    return;
  }
  rmSync(join(folder, SKILL_FILE), { force: true });
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

function readManifest(at: string): Owned {
  const path = join(at, MANIFEST);
  if (kindAt(path) === "nothing") return {};
  const text = textAt(path);
  try {
    return Manifest.parse(JSON.parse(text ?? "")).skills;
  } catch (cause) {
    throw new SkillSyncError(`${path} is not what Cairn wrote. Remove it to begin anew.`, { cause });
  }
}
