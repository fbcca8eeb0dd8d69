import type { TraceRow } from "../core/ports/forge-store.ts";
import { STOP_WORDS } from "../text/words/terms.ts";
import type { Cluster } from "./cluster.ts";
import { clusterFingerprint } from "./fingerprint.ts";
import { goalOf, nameOf, slugOf, subjectsOf } from "./goal.ts";
import { pitfallsOf } from "./pitfalls.ts";
import type { Segment } from "./segments.ts";
import { segmentsOf } from "./segments.ts";
import { significantRoots } from "./significant-terms.ts";
import type { SkillDraft } from "./skill-draft.ts";
import type { PlacedSegment, Step } from "./steps.ts";
import { commonSteps } from "./steps.ts";
import type { Trace } from "./traces.ts";
import { triggersOf } from "./triggers.ts";
import { directionOf } from "./vectors.ts";
import { contentOf } from "./wording/render.ts";
import type { StepText } from "./wording/step-text.ts";
import { stepText } from "./wording/step-text.ts";
import { fitted, sentence, uncapitalised, wordingOf } from "./wording/wording.ts";

/** Steps of a skill at most: a longer list is no procedure any more. */
const STEPS_MAX = 15;
/** One step is no procedure. */
const STEPS_MIN = 2;
/** Memories that a skill cites at most; more of them count as stuffing. */
const CITES_MAX = 20;
const TAGS_MAX = 5;
/** The domain of a procedure that names nothing. */
const DOMAIN = "general";
const SUMMARY_BYTES_MAX = 800;
/** Words of a step that the summary names: questions in other words are nearer to what is done than to how it is called. */
const SUMMARY_STEP_WORDS = 8;
const STEP_TAIL = /[,:;(]|\s(?:with|so|because|which|in case|when|if|unless)\s/;
/** The newest runs of a cluster that are laid side by side: more of them say nothing new, and cost their number cubed. */
const RUNS_READ = 12;
/** Actions and remarks of one run that are read. */
const TOLD_PER_RUN = 40;

/** Sentences of a cluster whose vectors distilling needs. */
export const sentencesOf = (cluster: Cluster): string[] => [
  ...new Set(toldBy(readRuns(cluster)).map(({ text }) => text)),
];

/** The runs that are read: the newest. */
function readRuns({ members }: Cluster): Trace[] {
  const newest = ({ rows }: Trace) => rows.at(-1)?.created_at ?? "";
  const kept = new Set(members.toSorted((a, b) => (newest(a) < newest(b) ? 1 : -1)).slice(0, RUNS_READ));
  return members.filter((member) => kept.has(member));
}

/** What of the runs may become a step or a goal. */
const toldBy = (members: readonly Trace[]): Segment[] =>
  members.flatMap((member) => segmentsOf(member).filter(isTold).slice(0, TOLD_PER_RUN));

const isTold = ({ kind }: Segment): boolean => kind === "goal" || kind === "action" || kind === "remark";

export interface DistilSource {
  /** Vector of each sentence of `sentencesOf`; one that lacks is aligned by its words alone. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
  readonly center: Float32Array;
  readonly description_max_bytes: number;
}

/**
 * Writes down what the runs of a cluster have in common, without a language model: the same cluster always gives the same
 * draft. Null when the runs share fewer than two steps.
 */
export async function distil(cluster: Cluster, source: DistilSource): Promise<SkillDraft | null> {
  const members = readRuns(cluster);
  const texts = members.map(({ rows }) => rows.map(({ content }) => content).join("\n"));
  const runs = texts.map(significantRoots);
  const wording = wordingOf(texts);
  const placed = toldBy(members).map((segment) => place(segment, source));
  const goals = placed.filter(({ kind }) => kind === "goal");
  const steps = (await commonSteps(placed)).filter(isStep).slice(0, STEPS_MAX);
  const goal = steps.length < STEPS_MIN ? null : goalOf({ goals, steps, runs, wording });
  if (goal === null) return null;
  const isKnown = (root: string) => runs.filter((bag) => bag.has(root)).length > 1;
  const told = steps.map((step) => stepText(step, { wording, isKnown }));
  const lines = told.map(({ line }) => line);
  const tags = [...new Set([...sharedTags(cluster), ...subjectsOf(goal, texts)])].slice(0, TAGS_MAX);
  const domain = tags[0] ?? DOMAIN;
  const triggers = triggersOf(goals, { goal, wording });
  const name = nameOf(goal);
  const cites = citesOf(steps, placed);
  const pitfalls = pitfallsOf({ ...cluster, members }, wording);
  return {
    name,
    slug: slugOf(name) || fallbackSlug(goal, domain, lines),
    domain,
    description: fitted(`${goal}: ${lines.map(uncapitalised).join("; ")}`, source.description_max_bytes),
    summary: summaryOf(triggers.summary, told),
    content: contentOf({ name, triggers: triggers.lines, steps: told, pitfalls, members: cluster.members, cites }),
    tags,
    goal,
    steps: lines,
    cites,
  };
}

/** "Use when you need to rebuild a replica: stop it, wipe its data." */
function summaryOf(trigger: string, told: readonly StepText[]): string {
  const actions = told.filter(({ isAction }) => isAction).map(({ line }) => line.split(STEP_TAIL)[0] ?? "");
  const heads = actions.map((action) => uncapitalised(headOf(action)));
  return fitted(sentence(heads.length === 0 ? trigger : `${trigger}: ${heads.join(", ")}`), SUMMARY_BYTES_MAX);
}

/** The first words of a step, up to one that tells something. */
function headOf(action: string): string {
  const words = action.split(" ").slice(0, SUMMARY_STEP_WORDS);
  return words.slice(0, words.findLastIndex((word) => !STOP_WORDS.has(word)) + 1).join(" ");
}

function place(segment: Segment, { vectors, center }: DistilSource): PlacedSegment {
  const vector = vectors.get(segment.text);
  return { ...segment, direction: vector ? directionOf(vector, center) : null };
}

/** Goals that agree are no step, and what was only seen is none before the end. */
function isStep({ segments }: Step): boolean {
  const count = (kind: Segment["kind"]) => segments.filter((segment) => segment.kind === kind).length;
  if (count("goal") > count("action")) return false;
  return count("action") > 0 || segments.every(({ position: index }) => index >= RESULT_FROM);
}

/** Place in the run from which what was seen is the result. */
const RESULT_FROM = 0.6;

/** Tags that at least two of the runs carry, those of most runs first. */
function sharedTags({ members }: Cluster): string[] {
  const carried = members.flatMap(({ run_id, rows }) => rows.flatMap(tagsOf).map((tag) => ({ run_id, tag })));
  const runs = [...Map.groupBy(carried, ({ tag }) => tag)].map(([tag, all]) => ({
    tag,
    count: new Set(all.map(({ run_id }) => run_id)).size,
  }));
  const shared = runs.filter(({ count }) => count > 1);
  return shared.toSorted((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1)).map(({ tag }) => tag);
}

const tagsOf = ({ metadata }: TraceRow): string[] =>
  (Array.isArray(metadata?.tags) ? metadata.tags : []).flatMap((tag) =>
    typeof tag === "string" && tag.trim() !== "" ? [tag] : [],
  );

/** The memories that the steps stand in, one of each step in turn, then those that say why. */
function citesOf(steps: readonly Step[], placed: readonly PlacedSegment[]): string[] {
  const deepest = Math.max(...steps.map(({ segments }) => segments.length));
  const inTurn = Array.from({ length: deepest }, (_, turn) => steps.flatMap(({ segments }) => segments[turn] ?? []));
  const goals = placed.filter(({ kind }) => kind === "goal");
  return [...new Set([...inTurn.flat(), ...goals].map(({ memory_id }) => memory_id))].slice(0, CITES_MAX);
}

const fallbackSlug = (goal: string, domain: string, steps: readonly string[]): string =>
  `skill-${clusterFingerprint({ goal, domain, entities: [], steps }).slice(-8)}`;
