import { randomUUID } from "node:crypto";
import { closeSync, linkSync, lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { HeldFolder } from "../../core/kernel/files/held-folder.ts";
import { holdFolder, holdOwn, makeIn } from "../../core/kernel/files/held-folder.ts";
import { readPlain } from "../../core/kernel/files/plain-files.ts";
import { isOwn, PRIVATE_FOLDER } from "../../core/kernel/files/private-files.ts";
import { describeCause } from "../../core/kernel/log.ts";
import { isShownWhole } from "../../core/kernel/quoting/unseen.ts";
import { Uuid } from "../../core/schema/common.ts";
import type { Person } from "./person.ts";
import { found, mayRepositorySay } from "./person.ts";

// Which project a repository is, kept beside its history, where nothing is committed: `.git/cairn/project.json`.

const [FOLDER, FILE] = ["cairn", "project.json"];
const BYTES_MAX = 4_096;

const Line = z.string().refine(isShownWhole);
const Kept = z.object({ id: Uuid, remote: Line.nullable(), folder: Line });

/** An id, and the repository that it was made for: its remote by one spelling, and the path of its common git folder. */
export type Kept = Readonly<z.infer<typeof Kept>>;

/** Where the id of a repository is kept, by its common git folder. */
export const keptFile = (common: string): string => join(common, FOLDER, FILE);

/** What is kept in a common git folder; why it counts for nothing; null where nothing is. */
export function keptIn(common: string, person: Person): Kept | { readonly fault: string } | null {
  const file = keptFile(common);
  if (found(join(common, FOLDER), lstatSync) === null || found(file, lstatSync) === null) return null;
  try {
    const { bytes, isWhole } = readPlain(file, { max: BYTES_MAX, within: join(common, FOLDER) });
    if (!mayRepositorySay(common, [join(common, FOLDER), file], person))
      return { fault: "it belongs to somebody else" };
    if (!isWhole) return { fault: `it has more than ${BYTES_MAX / 1024} KiB` };
    return Kept.safeParse(JSON.parse(bytes.toString())).data ?? { fault: "it is not what Cairn wrote" };
  } catch (error) {
    return { fault: error instanceof SyntaxError ? "it is no JSON" : describeCause(error) };
  }
}

/**
 * Keeps a new id in a common git folder, unless one is kept there by then: whoever comes first is who names it. False where
 * nothing can be: the folder is somebody else's or read-only, or something else has the place.
 */
export function keepId(common: string, madeFor: Pick<Kept, "remote">): boolean {
  try {
    holding(holdFolder(common, { follows: false }), (around) => {
      // What root made in a folder of another would be closed to its owner.
      if (!isOwn(around.stats)) throw new Error(`${common} belongs to somebody else`);
      makeFolder(around.at(FOLDER));
      holding(holdOwn(around, FOLDER), (folder) =>
        place(folder, JSON.stringify({ id: randomUUID(), remote: madeFor.remote, folder: common })),
      );
    });
    return true;
  } catch {
    return false;
  }
}

function holding(folder: HeldFolder, work: (folder: HeldFolder) => void): void {
  try {
    work(folder);
  } finally {
    folder.close();
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

/** Written beside its place and linked there, so that nobody sees half of it, and nothing that lies there is replaced. */
function place(folder: HeldFolder, text: string): void {
  const part = `${FILE}.${randomUUID()}`;
  const descriptor = makeIn(folder, part);
  try {
    writeFileSync(descriptor, `${text}\n`, { flush: true });
    linkSync(folder.at(part), folder.at(FILE));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    closeSync(descriptor);
    rmSync(folder.at(part), { force: true });
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
