import { expect } from "bun:test";
import { z } from "zod";
import { Memory } from "../../../src/core/schema/memory.ts";
import { MemoryPage } from "../../../src/core/schema/memory-query.ts";
import type { ResolvedProject } from "../../../src/core/schema/projects/project.ts";
import { Project, ProjectMerged, ProjectResolved } from "../../../src/core/schema/projects/project.ts";
import { RecallReply, SearchReply, TOP_K_MAX } from "../../../src/core/schema/retrieval.ts";
import type { Client, Reply } from "../../support/api/client.ts";
import { MEMORIES, RECALL, SEARCH } from "../../support/api/memories.ts";
import type { Model, Place, Text } from "./model.ts";
import { emptyModel, meantBy, merged, moved, toldIn, wordsOf } from "./model.ts";
import type { Step } from "./steps.ts";

const PROJECTS = "/api/v1/projects";
/** Under which names programs may have stored what is a folder's own. */
const ADOPTED: Readonly<Record<string, string>> = {
  one: "client-a/api",
  other: "client-b/api",
  file: "harbour",
  guest: "harbour",
};
const mayAdopt = (repository: string, id: string): boolean => ADOPTED[repository] === id;

/** Folders: two repositories of one name, one of them cloned twice, one without a remote, and two that a file names alike. */
export const places = (): Place[] => [
  { repository: "one", evidence: { remote: "github.com/client-a/api" }, kept: "k-1" },
  { repository: "one", evidence: { remote: "github.com/client-a/api" }, kept: "k-2" },
  { repository: "other", evidence: { remote: "github.com/client-b/api" }, kept: "k-3" },
  { repository: "bare", evidence: { folder: "laptop:/code/mill/.git" }, kept: "k-4" },
  { repository: "file", evidence: { file: { name: "harbour", place: "laptop:/code/harbour" } } },
  { repository: "guest", evidence: { file: { name: "harbour", place: "laptop:/tmp/gift" } } },
];

/** What every text has, so that one question finds all that may be told. */
const contentOf = (word: string): string => `All that was noted of ${word}, and nothing else.`;
const QUERY = "all that was noted";
const WORD = /zq[a-z]xv/;

const Moved = z.looseObject({ next: z.string().nullable() });
/** Refusals that leave everything as it is. */
const REFUSED = [404, 409];

type Of<Does extends Step["does"]> = Extract<Step, { readonly does: Does }>;
type Said = Pick<Of<"save">, "word" | "agent" | "run" | "isShown">;

/** Takes steps against an app and in the model, and holds what the app tells to the model. */
export function walkThrough(client: Client, tenant_id: string, settled: () => Promise<void>) {
  const model: Model = emptyModel();
  const folders = places();
  let remotes = 0;
  /** Folders whose file may name a project, each with the project. */
  const trusted = new Map<string, string>();
  const post = (path: string, body: object) => client.call("POST", path, { body: { tenant_id, ...body } });
  /** What a call answered, or null for a refusal. */
  const answered = <T>(schema: z.ZodType<T>, { status, body }: Reply): T | null => {
    if (REFUSED.includes(status)) return null;
    if (status >= 400) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return schema.parse(body);
  };
  const oneOf = <T>(all: readonly T[], n: number): T | undefined => all[n % Math.max(1, all.length)];
  const projects = () => [...model.projects].sort();
  const place = (n: number): Place => folders[n % folders.length] ?? (folders[0] as Place);

  /** Which project a folder is, held to what it was before, or may be. Null where nothing of it may be told there. */
  async function projectOf(folder: Place, save: boolean): Promise<string | null> {
    const { repository, kept } = folder;
    // The first save is what keeps an id in the repository.
    if (save && kept !== undefined) folder.evidence = { ...folder.evidence, kept };
    const { evidence } = folder;
    const body = { tenant_id, ...evidence, save };
    const { project } = await client.ok(ProjectResolved, "POST", `${PROJECTS}/resolve`, { body });
    const id = project?.id ?? "";
    const { file } = evidence;
    const known = file === undefined ? model.homes.get(repository) : claimedAs(meantBy(model, file.name));
    if (known === undefined && save && project?.is_trusted !== false) claim(folder, id);
    expect({ folder, id }).toEqual({ folder, id: known ?? id });
    // What no folder has claimed yet is of whichever names it.
    const isOpen = file === undefined || (known === undefined && !save && project?.is_trusted === true);
    return isOpen || isTrusted(file.place, project) ? id : null;
  }

  function isTrusted(place: string, project: ResolvedProject | null): boolean {
    const isOwn = meantBy(model, trusted.get(place) ?? "") === project?.id;
    // Who is asked once too often is told nothing that is another's.
    if (project?.is_trusted) expect({ place, project, isOwn }).toEqual({ place, project, isOwn: true });
    return project?.is_trusted === true;
  }

  const claimedAs = (id: string): string | undefined => (model.claimed.has(id) ? id : undefined);

  /** A folder's first save: its project is nobody else's. */
  function claim({ repository, evidence: { file } }: Place, id: string): void {
    const isNamed = file !== undefined && meantBy(model, file.name) === id;
    const isFree =
      !model.names.has(id) &&
      !model.claimed.has(id) &&
      (isNamed || !model.projects.has(id) || mayAdopt(repository, id));
    const isOld = id === "api" && repository in ADOPTED && ![...model.homes.values()].includes(id);
    expect({ repository, id, isItsOwn: isFree || isOld }).toMatchObject({ isItsOwn: true });
    model.projects.add(id);
    model.claimed.add(id);
    if (file === undefined) model.homes.set(repository, id);
    else trusted.set(file.place, id);
  }

  async function write({ word, agent, run, isShown }: Said, where: { fleet_id: string } | { no_fleet: true }) {
    if (model.texts.length >= TOP_K_MAX) return;
    const owner = "fleet_id" in where ? meantBy(model, where.fleet_id) : null;
    const scope = isShown && owner !== null ? { visibility: "scope_org" } : {};
    const body = { agent_id: agent, run_id: run, content: contentOf(word), ...where, ...scope };
    const written = answered(Memory, await post(MEMORIES, body));
    if (owner !== null) model.projects.add(owner);
    if (written === null) return;
    expect(written.fleet_id).toBe(owner);
    if (model.texts.some(({ id }) => id === written.id)) return;
    model.texts.push({ id: written.id, word, agent, run, owner, isShown: isShown && owner !== null });
  }

  /** Whoever is asked for: a project of those there are, or everyone. */
  const target = (n: number | null): string | null => (n === null ? null : (oneOf(projects(), n) ?? null));
  const where = (to: string | null) => (to === null ? { everyone: true } : { fleet_id: to });

  async function move(named: object, texts: readonly Text[], to: string | null): Promise<void> {
    for (let next: string | null | undefined; next !== null; ) {
      const reply = answered(
        Moved,
        await post(`${MEMORIES}/move`, { ...named, to: where(to), ...(next === undefined ? {} : { next }) }),
      );
      next = reply?.next ?? null;
    }
    moved(model, texts, to);
  }

  async function split({ from, by, to }: Of<"split">): Promise<void> {
    const owner = target(from);
    const filter = {
      ...(owner === null ? { no_fleet: true } : { fleet_id: owner }),
      ...("agent" in by ? { written_by: by.agent } : "run" in by ? { run_id: by.run } : { match: by.word }),
    };
    const isMeant = ({ agent, run, word }: Text) =>
      "agent" in by ? agent === by.agent : "run" in by ? run === by.run : word === by.word;
    await move(
      { filter },
      // The newest goes first, and another that says the same then stays.
      model.texts.filter((text) => text.owner === owner && isMeant(text)).reverse(),
      target(to),
    );
  }

  async function merge({ from, into }: Of<"merge">): Promise<void> {
    const [ends, stays] = [oneOf(projects(), from), oneOf(projects(), into)];
    if (ends === undefined || stays === undefined || ends === stays) return;
    for (let isDone = false; !isDone; ) {
      const reply = answered(ProjectMerged, await post(`${PROJECTS}/merge`, { from: ends, into: stays }));
      if (reply === null) return;
      isDone = reply.is_done;
    }
    merged(model, ends, stays);
  }

  async function name(action: "rename" | "alias", project: string, given: object, called: string): Promise<void> {
    const reply = answered(Project, await post(`${PROJECTS}/${action}`, { project, ...given }));
    if (reply === null) return;
    const meant = meantBy(model, called);
    // What means another project, or is where texts lie, is not taken for a name of this one.
    const isInUse = model.claimed.has(meant) || model.texts.some(({ owner }) => owner === meant);
    expect({ called, isTaken: meant !== reply.id && isInUse }).toMatchObject({ isTaken: false });
    if (called === reply.id) return;
    // A fleet that requests once named, and in which nothing lies any more, is none.
    model.projects.delete(called);
    model.names.set(called, reply.id);
  }

  async function unname(project: string, alias: string): Promise<void> {
    const reply = answered(Project, await post(`${PROJECTS}/alias`, { project, alias, remove: true }));
    if (reply === null) return;
    expect(model.names.get(alias)).toBe(reply.id);
    model.names.delete(alias);
  }

  async function trust({ evidence: { file } }: Place): Promise<void> {
    if (file === undefined) return;
    const reply = answered(Project, await post(`${PROJECTS}/trust`, { project: file.name, place: file.place }));
    if (reply !== null) trusted.set(file.place, reply.id);
  }

  async function save({ place: n, ...said }: Of<"save">): Promise<void> {
    const project = await projectOf(place(n), true);
    if (project !== null) await write(said, { fleet_id: project });
  }

  async function moveSome({ texts: picks, to }: Of<"move">): Promise<void> {
    const picked = picks.flatMap((n) => oneOf(model.texts, n) ?? []);
    // Of two that say the same, which one moves is left open.
    const texts = [...new Map(picked.map((text) => [text.word, text])).values()];
    if (texts.length > 0) await move({ ids: texts.map(({ id }) => id) }, texts, target(to));
  }

  function changeRemote({ evidence, ...rest }: Place, n: number): void {
    // Before its first save, a repository with another remote is another repository.
    if (evidence.kept === undefined) return;
    folders[n % folders.length] = { ...rest, evidence: { ...evidence, remote: `github.com/moved/to-${++remotes}` } };
  }

  const named = (n: number): string => oneOf(projects(), n) ?? "nothing";

  async function take(step: Step): Promise<void> {
    switch (step.does) {
      case "save":
        return save(step);
      case "post":
        return write(step, { fleet_id: step.name });
      case "share":
        return write(step, { no_fleet: true });
      case "look":
        await projectOf(place(step.place), false);
        return look();
      case "move":
        return moveSome(step);
      case "split":
        return split(step);
      case "merge":
        return merge(step);
      case "rename":
        return name("rename", named(step.project), { name: step.name }, step.name);
      case "alias":
        return name("alias", named(step.project), { alias: step.name }, step.name);
      case "unalias":
        return unname(named(step.project), step.name);
      case "settle":
        await post(`${PROJECTS}/settle`, { project: named(step.project) });
        return;
      case "trust":
        return trust(place(step.place));
      case "change remote":
        return changeRemote(place(step.place), step.place);
    }
  }

  /** Holds what each project, and whoever is in none, is told to the model. */
  async function look(): Promise<void> {
    await settled();
    for (const project of [...projects(), null]) {
      const told = toldIn(model, project);
      expect({ project, ...(await answersIn(project)) }).toEqual({ project, list: told, search: told, recall: told });
    }
  }

  async function answersIn(project: string | null) {
    const scope = project === null ? { shared_only: true } : { fleet_ids: [project] };
    const listed = project === null ? scope : { fleet_id: project, with_shared: true };
    const body = { tenant_id, query: QUERY, top_k: TOP_K_MAX, min_score: 0, ...scope };
    const [list, search, recall] = await Promise.all([
      client.ok(MemoryPage, "GET", MEMORIES, { query: { tenant_id, limit: 500, ...listed } }),
      client.ok(SearchReply, "POST", SEARCH, { body }),
      client.ok(RecallReply, "POST", RECALL, { body }),
    ]);
    return { list: saidIn(list.items), search: saidIn(search.items), recall: saidIn(recall.memories) };
  }

  return { take, look };
}

const saidIn = (rows: readonly { readonly content: string }[]): string[] =>
  wordsOf(rows.map(({ content }) => ({ word: WORD.exec(content)?.[0] ?? content })));
