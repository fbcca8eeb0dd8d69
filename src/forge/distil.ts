import type { TraceRow } from "../ports/forge-store.ts";
import type { Cluster } from "./cluster.ts";
import type { SkillDraft } from "./draft.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { goalOf, nameOf, slugOf, subjectsOf } from "./goal.ts";
import type { Passage } from "./passages.ts";
import { passagesOf } from "./passages.ts";
import { pitfallsOf } from "./pitfalls.ts";
import { contentOf } from "./render.ts";
import type { PlacedPassage, Step } from "./steps.ts";
import { commonSteps } from "./steps.ts";
import { tellingRoots } from "./telling.ts";
import { triggersOf } from "./triggers.ts";
import { directionOf } from "./vectors.ts";
import type { Wording } from "./wording.ts";
import { capitalised, fitted, sentence, uncapitalised, wordingOf } from "./wording.ts";

/** Steps of a skill at most: a longer list is no procedure any more. */
const STEPS_MAX = 15;
/** One step is no procedure. */
const STEPS_MIN = 2;
/** Memories that a skill cites at most; more of them count as stuffing. */
const CITES_MAX = 20;
const TAGS_MAX = 5;
/** The domain of a procedure that names nothing. */
const DOMAIN = "general";
const SUMMARY_BYTES_MAX = 400;

/** Sentences of a cluster whose vectors distilling needs, in its order. */
export function sentencesOf(cluster: Cluster): string[] {
  return [
    ...new Set(
      cluster.members
        .flatMap(passagesOf)
        .filter(isTold)
        .map(({ text }) => text),
    ),
  ];
}

/** A sentence of which a step or a goal may be made. */
const isTold = ({ kind }: Passage): boolean => kind === "goal" || kind === "deed" || kind === "remark";

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
export function distil(cluster: Cluster, source: DistilSource): SkillDraft | null {
  const { members } = cluster;
  const placed = members
    .flatMap(passagesOf)
    .filter(isTold)
    .map((passage) => place(passage, source));
  const texts = members.map(({ rows }) => rows.map(({ content }) => content).join("\n"));
  const wording = wordingOf(texts);
  const steps = commonSteps(placed).filter(isStep).slice(0, STEPS_MAX);
  if (steps.length < STEPS_MIN) return null;
  const goals = placed.filter(({ kind }) => kind === "goal");
  const runs = texts.map(tellingRoots);
  const goal = goalOf({ goals, steps, runs, wording });
  if (goal === null) return null;
  const isKnown = (root: string) => runs.filter((bag) => bag.has(root)).length > 1;
  const lines = steps.map((step) => lineOf(step, { wording, isKnown }));
  const subjects = subjectsOf(goal, texts);
  const tags = [...new Set([...sharedTags(cluster), ...subjects])].slice(0, TAGS_MAX);
  const domain = tags[0] ?? DOMAIN;
  const triggers = triggersOf(goals, { goal, wording });
  const name = nameOf(goal);
  const cites = citesOf(steps, placed);
  return {
    name: capitalised(name),
    slug: slugOf(name) || fallbackSlug(goal, domain, lines),
    domain,
    description: fitted(
      `${goal}: ${lines.map((line) => uncapitalised(line)).join("; ")}`,
      source.description_max_bytes,
    ),
    summary: fitted(triggers.summary, SUMMARY_BYTES_MAX),
    content: contentOf({
      name: capitalised(name),
      triggers: triggers.lines,
      steps: lines.map(sentence),
      pitfalls: pitfallsOf(cluster, wording),
      members,
      cites,
    }),
    tags,
    goal,
    steps: lines,
    cites,
  };
}

function place(passage: Passage, { vectors, center }: DistilSource): PlacedPassage {
  const vector = vectors.get(passage.text);
  return { ...passage, direction: vector ? directionOf(vector, center) : null };
}

/** Goals that agree are no step, and what was only seen is none before the end. */
function isStep({ passages }: Step): boolean {
  const count = (kind: Passage["kind"]) => passages.filter((passage) => passage.kind === kind).length;
  if (count("goal") > count("deed")) return false;
  return count("deed") > 0 || passages.every(({ at }) => at >= RESULT_FROM);
}

/** Place in the run from which what was seen is the result. */
const RESULT_FROM = 0.6;

/** What a placeholder, a word that only one run uses, a remark where a deed could stand, and too many words cost a sentence that may stand for its step. */
const COSTS = { placeholder: 0.4, own: 0.15, remark: 2, long: 0.5, rank: 0.3 } as const;
const LONG_FROM = 140;

interface StepWording {
  readonly wording: Wording;
  /** Whether more runs than one use a word. */
  isKnown(root: string): boolean;
}

/** The sentence that stands for a step: near to all the others, an instruction, with little that belongs to its run. */
function lineOf({ passages }: Step, { wording, isKnown }: StepWording): string {
  const rated = passages.map(({ text, imperative }, rank) => {
    const line = wording.general(imperative ?? text);
    const places = line.match(/<\w+>/g)?.length ?? 0;
    const own = [...tellingRoots(line)].filter((root) => !isKnown(root)).length;
    const cost =
      COSTS.own * own +
      COSTS.placeholder * places +
      (imperative === null ? COSTS.remark : 0) +
      (line.length > LONG_FROM ? COSTS.long : 0) +
      COSTS.rank * rank;
    return { line: imperative === null ? `Expect: ${uncapitalised(line)}` : line, cost };
  });
  return rated.toSorted((a, b) => a.cost - b.cost)[0]?.line ?? "";
}

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
function citesOf(steps: readonly Step[], placed: readonly PlacedPassage[]): string[] {
  const deepest = Math.max(...steps.map(({ passages }) => passages.length));
  const inTurn = Array.from({ length: deepest }, (_, turn) => steps.flatMap(({ passages }) => passages[turn] ?? []));
  const goals = placed.filter(({ kind }) => kind === "goal");
  return [...new Set([...inTurn.flat(), ...goals].map(({ memory_id }) => memory_id))].slice(0, CITES_MAX);
}

const fallbackSlug = (goal: string, domain: string, steps: readonly string[]): string =>
  `skill-${fingerprintOf({ goal, domain, entities: [], steps }).slice(-8)}`;
