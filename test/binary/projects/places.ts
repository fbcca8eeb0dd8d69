import { cpSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { git } from "../../support/git.ts";

/** What may be done in a place: in a project, outside any, or where a file says badly which one it is. */
export type Standing = { readonly project: string } | "outside" | "fault";

/** The places of the table: what each is of, and a word that is in what is written there, and nowhere else. */
export const PLACES = {
  "a repository": { folder: "client-a/api", standing: { project: "client-a/api" }, word: "amber" },
  "a repository of the same name": { folder: "client-b/api", standing: { project: "client-b/api" }, word: "birch" },
  "a repository without a remote": { folder: "work/mill", standing: { project: "work/mill" }, word: "cobalt" },
  "a worktree": { folder: "client-a/hotfix", standing: { project: "client-a/api" }, word: "dune" },
  "a subfolder": { folder: "client-a/api/src/deep", standing: { project: "client-a/api" }, word: "ember" },
  "a nested repository": {
    folder: "client-a/api/vendor/tool",
    standing: { project: "vendor/tool" },
    word: "fjord",
  },
  "a copy whose remote was changed": {
    folder: "client-c/template",
    standing: { project: "client-c/site" },
    word: "garnet",
  },
  "a copy without a remote beside its original": {
    folder: "copies/mill",
    standing: { project: "copies/mill" },
    word: "heath",
  },
  "outside any repository": { folder: "papers", standing: "outside", word: "ivory" },
  "a folder whose .cairn.json is broken": { folder: "broken", standing: "fault", word: "jasper" },
  "a repository whose .cairn.json names another's project": { folder: "gift", standing: "fault", word: "kelp" },
} as const satisfies Readonly<Record<string, { folder: string; standing: Standing; word: string }>>;

export type PlaceName = keyof typeof PLACES;
export interface Place {
  readonly name: PlaceName;
  readonly folder: string;
  readonly standing: Standing;
  readonly word: string;
}

/** All of them, below a folder. */
export const placesIn = (root: string): Place[] =>
  // Safe: the table has these names alone.
  (Object.keys(PLACES) as PlaceName[]).map((name) => ({
    ...PLACES[name],
    name,
    folder: join(root, PLACES[name].folder),
  }));

/** Makes the folders; `firstSave` runs in what is copied before it is. */
export async function makePlaces(below: string, firstSave: (folder: string) => Promise<void>): Promise<Place[]> {
  const root = realpathSync(below);
  const at = (name: PlaceName) => join(root, PLACES[name].folder);
  for (const { folder } of placesIn(root)) mkdirSync(dirname(folder), { recursive: true });
  repository(at("a repository"), "git@github.com:client-a/api.git");
  repository(at("a repository of the same name"), "https://github.com/client-b/api");
  repository(at("a repository without a remote"));
  git(at("a repository"), "worktree", "add", "-q", at("a worktree"));
  mkdirSync(at("a subfolder"), { recursive: true });
  await Promise.all([at("a repository"), at("a repository without a remote")].map(firstSave));
  copy(at("a repository"), at("a copy whose remote was changed"));
  git(
    at("a copy whose remote was changed"),
    "remote",
    "set-url",
    "origin",
    "ssh://git@github.com:22/client-c/site.git",
  );
  copy(at("a repository without a remote"), at("a copy without a remote beside its original"));
  repository(at("a nested repository"));
  mkdirSync(at("outside any repository"));
  mkdirSync(at("a folder whose .cairn.json is broken"));
  writeFileSync(join(at("a folder whose .cairn.json is broken"), ".cairn.json"), '{"project": ');
  const gift = at("a repository whose .cairn.json names another's project");
  repository(gift, "https://github.com/somebody/gift");
  writeFileSync(join(gift, ".cairn.json"), '{"project": "client-a/api"}');
  return placesIn(root);
}

function repository(folder: string, remote?: string): void {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q", "-b", "main");
  git(folder, "commit", "-q", "--allow-empty", "-m", "begin");
  if (remote !== undefined) git(folder, "remote", "add", "origin", remote);
}

const copy = (from: string, to: string): void => cpSync(from, to, { recursive: true });
