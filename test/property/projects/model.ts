import type { ProjectEvidence } from "../../../src/core/schema/projects/project.ts";

// Whose memory each text is, as somebody would keep it on paper: texts, projects by the id that they were first told under, the
// folders that are theirs, and the names that somebody gave them. It knows no remotes, kept ids or registries.

/** A text where it lies: one project's, or with null everyone's. */
export interface Text {
  readonly id: string;
  readonly word: string;
  readonly agent: string;
  readonly run: string;
  owner: string | null;
  /** A project's own that all are told. */
  isShown: boolean;
}

/** A folder that somebody works in, as its clients tell of it. */
export interface Place {
  /** The same for folders of one repository. */
  repository: string;
  evidence: ProjectEvidence;
  /** What Cairn writes into the repository at its first save. */
  readonly kept?: string;
}

export interface Model {
  texts: Text[];
  /** Projects that there are: by a folder, a name, or a text that lies in one. */
  readonly projects: Set<string>;
  /** Those of them that a folder was found to be, or that were there before there was a registry. */
  readonly claimed: Set<string>;
  /** The project of each repository that something was saved in. */
  readonly homes: Map<string, string>;
  /** What names mean beside the ids of projects. */
  readonly names: Map<string, string>;
}

export const emptyModel = (): Model => ({
  texts: [],
  projects: new Set(),
  claimed: new Set(),
  homes: new Map(),
  names: new Map(),
});

/** What somebody means who names a project by its id or another name. */
export const meantBy = ({ names }: Model, name: string): string => names.get(name) ?? name;

/** What is told in a project, or with null outside any. */
export const toldIn = ({ texts }: Model, project: string | null): string[] =>
  wordsOf(texts.filter(({ owner, isShown }) => owner === null || owner === project || isShown));

/** Words, each once: of texts that say the same, one is told. */
export const wordsOf = (texts: readonly { readonly word: string }[]): string[] =>
  [...new Set(texts.map(({ word }) => word))].sort();

/** Whether somebody says the same to the same readers there already. */
const isSaid = ({ texts }: Model, said: Pick<Text, "owner" | "word" | "agent" | "isShown">): boolean =>
  texts.some(
    ({ owner, word, agent, isShown }) =>
      owner === said.owner && word === said.word && agent === said.agent && isShown === said.isShown,
  );

/** Texts become another's, and are shown to its readers alone, but for what is said there already. */
export function moved(model: Model, texts: readonly Text[], to: string | null): void {
  for (const text of texts)
    if (text.owner !== to && !isSaid(model, { ...text, owner: to, isShown: false }))
      Object.assign(text, { owner: to, isShown: false });
}

/** One project becomes part of another: its texts, its folders and its names. */
export function merged(model: Model, from: string, into: string): void {
  model.texts = model.texts.filter((text) => text.owner !== from || !isSaid(model, { ...text, owner: into }));
  for (const text of model.texts) if (text.owner === from) text.owner = into;
  for (const names of [model.homes, model.names])
    for (const [name, project] of names) if (project === from) names.set(name, into);
  model.projects.delete(from);
  // What has taken in a folder's project is that folder's.
  if (model.claimed.delete(from)) model.claimed.add(into);
  model.names.set(from, into);
}
