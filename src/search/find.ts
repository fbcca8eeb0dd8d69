import { toTimestamp } from "../core/kernel/clock.ts";
import { rounded } from "../core/kernel/text.ts";
import type { SearchCtx } from "../core/ports/context.ts";
import type { EmbedderState } from "../core/ports/embedder.ts";
import type { EmbeddedQuery, HitExtra, HitQuery, HitReply, QueryVector, WeighedWord } from "../core/ports/hits.ts";
import type { Warning } from "../core/schema/common.ts";
import type { Memory, SupersededBy } from "../core/schema/memory.ts";
import type { PossibleChange } from "../core/schema/observing/possible-change.ts";
import type { NamedEntities } from "../entities/match.ts";
import { namedEntities } from "../entities/match.ts";
import { possibleChanges } from "../memories/possible-changes.ts";
import { chosenFields, projected } from "../memories/projection.ts";
import { supersededBy } from "../memories/superseded-by.ts";
import type { RankedView } from "../memories/view.ts";
import { toMemoryView } from "../memories/view.ts";
import { embedQuery } from "../text/embed-with-timeout.ts";
import { deduplicate } from "./deduplicate.ts";
import { entityEvidence } from "./entities.ts";
import { COMPARED, isShortStatement, supersededByNewest } from "./newest-first.ts";
import type { SearchInput, SearchPlan } from "./plan.ts";
import type { Question } from "./question.ts";
import { readQuestion } from "./question.ts";
import type { Penalties, RankedHit, ScoredHit } from "./rank.ts";
import { rankHits, scoreHits } from "./rank.ts";
import type { PlacedMemory } from "./successors.ts";
import { headOf, placeHits } from "./successors.ts";
import { missedThreshold } from "./thresholds.ts";
import { keptScores } from "./told/kept-scores.ts";
import type { StageWatch } from "./why/stage-times.ts";
import { watchStages } from "./why/stage-times.ts";
import { asAsked } from "./words/equals.ts";

/** What a search found, best first, before it is turned into a reply. */
export interface SearchResults {
  readonly plan: SearchPlan;
  readonly question: Question;
  /** Every row considered, in order of score. */
  readonly ranked: readonly RankedHit[];
  /** Rows that are not returned because a newer one has the same text, and which that is. */
  readonly sameAs: ReadonlyMap<string, string>;
  /** The rows returned: above the floors, `top_k` at most, and the successors of those that are superseded. */
  readonly returned: readonly PlacedMemory[];
  /** What each of them supersedes. */
  readonly superseded: ReadonlyMap<string, readonly SupersededBy[]>;
  /** By which newer rows each of them may hold no longer. */
  readonly changed: ReadonlyMap<string, readonly PossibleChange[]>;
  /** The words of the question, as storage looked them up. */
  readonly words: readonly WeighedWord[];
  readonly took_ms: HitReply["took_ms"];
  /** Goes on while the reply is made. */
  readonly watch: StageWatch;
  readonly entities: NamedEntities;
  readonly query_vector: QueryVector | null;
  readonly warnings: readonly Warning[];
}

/** The search itself, shared by /search and /recall. */
export async function findMemories(ctx: SearchCtx, asked: SearchPlan): Promise<SearchResults> {
  let plan = asked;
  const watch = watchStages(plan.embedded?.took_ms);
  // Not awaited yet: the model works on a thread of its own while names are looked up on this one.
  const embedding = plan.embedded?.query ?? embedQuery(ctx, plan.query, plan.wait_ms);
  watch.ended("embed");
  const question = readQuestion(plan.query, plan.asked_at);
  const naming = namedEntities(ctx.storage, plan.read_scope, plan.query).finally(() => watch.ended("names"));
  const find = async (): Promise<HitReply> => {
    const { vector } = await embedding;
    watch.ended("embed");
    const query = hitQuery({ plan, question, entities: naming }, vector);
    return asAsked(await ctx.storage.memories.hits({ ...query, pending_most: PENDING_COUNTED_MAX }), question);
  };
  const [entities, { vector, lacks }, reply] = await Promise.all([naming, embedding, find()]);
  watch.ended("candidates");
  const weighed = scoreHits(reply, {
    question,
    now: plan.asked_at,
    calibration: ctx.embedder.calibration,
    entities: entityEvidence(entities, reply.words),
  });
  watch.ended("scoring");
  const losses = await penaltiesOf(ctx, plan, { question, weighed });
  watch.ended("superseded-by-newest");
  const kept = await keptScores(ctx, plan, weighed);
  const ranked = rankHits(weighed, reply.words, { losses, kept });
  watch.ended("scoring");
  const { least_best } = plan;
  if (least_best !== null && rounded(ranked[0]?.score ?? 1) < least_best) plan = { ...plan, min_score: least_best };
  const { hits, sameAs } = deduplicate(ranked.filter((hit) => missedThreshold(hit, plan) === null));
  const head = headOf(hits, plan).map(({ hit }) => hit.memory);
  const asksPast = question.asks_past || plan.filter.valid_at !== undefined;
  const changes = asksPast ? new Map<string, PossibleChange[]>() : await possibleChanges(ctx, head, plan.read_scope);
  const { returned, isCut } = await placeHits(ctx, plan, { hits, changed: changes });
  const memories = returned.map(({ memory }) => memory);
  const superseded = await supersededBy(ctx, memories, plan.read_scope);
  const known = new Set(head.map(({ id }) => id));
  const putIn = asksPast ? [] : memories.filter(({ id }) => !known.has(id));
  const changed = new Map([...changes, ...(await possibleChanges(ctx, putIn, plan.read_scope))]);
  watch.ended("placing");
  return {
    plan,
    question,
    ranked,
    sameAs,
    returned,
    superseded,
    changed,
    words: reply.words,
    took_ms: reply.took_ms,
    watch,
    entities,
    query_vector: vector,
    warnings: [
      ...plan.warnings,
      ...(lacks === null ? [] : [keywordOnly(ctx, lacks)]),
      ...stillPending(reply.pending),
      ...(isCut ? [replyCut(ctx)] : []),
    ],
  };
}

/** What the best rows lose to others that say the same of the same at another time. */
export async function penaltiesOf(
  { storage, embedder }: SearchCtx,
  { filter, asked_at }: SearchPlan,
  { question, weighed }: { readonly question: Question; readonly weighed: readonly ScoredHit[] },
): Promise<Penalties> {
  // A time that the question names, or "the latest", says itself which of them is meant.
  if (question.times.length > 0 || question.asks_recent > 0) return new Map();
  const rows = weighed.slice(0, COMPARED);
  const ids = rows.filter(isShortStatement).map(({ hit }) => hit.memory.id);
  if (ids.length < 2) return new Map();
  const likeness = {
    calibration: embedder.calibration,
    vectors: await storage.memories.vectorsOf(filter.tenant_id, ids),
  };
  const lost = supersededByNewest(rows, { likeness, asks_past: question.asks_past, now: asked_at });
  return new Map(rows.map(({ hit }, i) => [hit.memory.id, lost[i] ?? 0]));
}

/** What a search asks of storage; links and inferences of the rows only where the question looks at them. */
export const hitQuery = ({ plan, question, entities }: Asking, vector: HitQuery["vector"]): HitQuery => ({
  filter: plan.filter,
  vector,
  words: question.terms,
  told: new Map([...question.equals].filter(([form]) => !question.guessed.has(form))),
  pool: plan.pool,
  extras:
    entities instanceof Promise ? entities.then((named) => extrasOf(question, named)) : extrasOf(question, entities),
});

interface Asking extends Pick<SearchResults, "plan" | "question"> {
  /** Or what is to find them. */
  readonly entities: NamedEntities | Promise<NamedEntities>;
}

const extrasOf = ({ times }: Question, { matched }: NamedEntities): HitExtra[] => [
  ...(matched.length > 0 ? ["entity_links" as const] : []),
  ...(times.length > 0 ? ["system_metadata" as const] : []),
];

/** The rows returned, as replies show them. */
export const toItems = ({
  returned,
  superseded,
  changed,
}: Pick<SearchResults, "returned" | "superseded" | "changed">): Memory[] =>
  returned.map(({ memory, ranked }) => {
    const found = { superseded_by: superseded.get(memory.id), may_have_changed: changed.get(memory.id) };
    return toMemoryView(memory, ranked ? { ...found, ranked: toRanked(ranked) } : { ...found, injected: true });
  });

/** The rows returned as a reply to `input` shows them. */
export async function shownItems(
  ctx: SearchCtx,
  findings: SearchResults,
  { body, query = {} }: Pick<SearchInput, "body" | "query">,
) {
  const why = new Map(findings.returned.map(({ memory, ranked }) => [memory.id, ranked?.why ?? STANDS_IN]));
  const { tenant_id } = findings.plan.filter;
  const fields = chosenFields("found", body, query);
  const shown = await projected(ctx, toItems(findings), { tenant_id, fields, why });
  findings.watch.ended("shown");
  return shown;
}

const STANDS_IN = "took the place of a row that was found";

const toRanked = ({ hit, score, parts }: RankedHit): RankedView => ({
  similarity: hit.vec_sim === null ? null : rounded(hit.vec_sim),
  score: rounded(score),
  score_parts: parts,
});

const replyCut = ({ limits: { reply_bytes_limit } }: SearchCtx): Warning => ({
  code: "reply_cut",
  message: `Not all that was found fits into one reply of ${reply_bytes_limit} bytes: the best of it is here.`,
  details: { reply_bytes_limit },
});

function keywordOnly({ embedder }: SearchCtx, lacks: NonNullable<EmbeddedQuery["lacks"]>): Warning {
  const state = embedder.state();
  return {
    code: "semantic_search_unavailable",
    message: `Found by keyword only: the embedding model ${lacks === "silent" ? "cannot read the question" : howItIs(state)}.`,
    details: { phase: state.phase },
  };
}

function howItIs(state: EmbedderState): string {
  switch (state.phase) {
    case "loading":
      return "is still loading";
    case "ready":
      return "is busy";
    case "failed":
      return `failed (${state.reason})`;
  }
}

/** Rows counted of those that wait for their vectors: beyond, it is enough to know that there are more. */
const PENDING_COUNTED_MAX = 1_000;

/** Nobody takes for absent what is only not read yet. */
function stillPending(pending: number): Warning[] {
  if (pending === 0) return [];
  const isCut = pending === PENDING_COUNTED_MAX;
  const rows = `${isCut ? "At least " : ""}${pending} ${pending === 1 ? "memory" : "memories"}`;
  return [
    {
      code: "embedding_pending",
      message: `${rows} within read_scope of this search had no vector yet, to be found by meaning: the words alone find them.`,
      details: { pending, ...(isCut ? { at_least: true } : {}) },
    },
  ];
}

/** Counts the rows as recalled, but not those put in beside them, after the reply, when an agent asked. True when it will. */
export function trackRecalls(ctx: SearchCtx, { plan, returned }: SearchResults): boolean {
  const ids = returned.flatMap(({ memory, ranked }) => (ranked ? [memory.id] : []));
  if (plan.agent_id === null || ids.length === 0) return false;
  ctx.afterReply(() => ctx.storage.memories.touchRecalls(plan.filter.tenant_id, ids, toTimestamp(plan.now)));
  return true;
}
