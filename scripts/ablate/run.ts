import { STANDALONE_TENANT } from "../../src/access/resolve.ts";
import type { Ctx } from "../../src/core/ports/context.ts";
import type { HitReply } from "../../src/core/ports/hits.ts";
import { BULK_MAX } from "../../src/core/schema/memory.ts";
import { QUERY_MAX } from "../../src/core/schema/retrieval.ts";
import type { NamedEntities } from "../../src/entities/match.ts";
import { namedEntities } from "../../src/entities/match.ts";
import { writeMemories } from "../../src/memories/bulk.ts";
import { entityEvidence } from "../../src/search/entities.ts";
import { hitQuery, penaltiesOf } from "../../src/search/find.ts";
import type { SearchPlan } from "../../src/search/plan.ts";
import { planSearch } from "../../src/search/plan.ts";
import type { Question } from "../../src/search/question.ts";
import { readQuestion } from "../../src/search/question.ts";
import type { Ranking } from "../../src/search/rank.ts";
import { rankHits, scoreHits } from "../../src/search/rank.ts";
import { asAsked } from "../../src/search/words/equals.ts";
import { embedQuery } from "../../src/text/embed-with-timeout.ts";
import type { QuestionSet, SetQuery } from "../evaluate/question-set.ts";
import { toItem } from "../evaluate/question-set.ts";
import type { Legs, Variant } from "./variants.ts";

/** Rows that a question brings. */
export const TOP_K = 20;

/** Stores the set, one author per group, and waits until all of it is embedded. */
export async function load(ctx: Ctx, { memories }: QuestionSet, drain: () => Promise<number>): Promise<void> {
  for (const [agent_id, rows] of Map.groupBy(memories, ({ group }) => group)) {
    for (let i = 0; i < rows.length; i += BULK_MAX) {
      const items = rows.slice(i, i + BULK_MAX).map(toItem);
      await writeMemories(ctx, {
        body: { tenant_id: STANDALONE_TENANT, agent_id, items },
        attempt_id: null,
        refused: new Map(),
      });
    }
  }
  await drain();
}

/** A question with all that storage found for it. */
export interface Asked {
  readonly plan: SearchPlan;
  readonly question: Question;
  readonly entities: NamedEntities;
  readonly found: Readonly<Record<Legs, HitReply>>;
}

/** What storage finds for a question by both legs and by each alone. */
export async function ask(ctx: Ctx, { query, group }: SetQuery, everywhere: boolean): Promise<Asked> {
  const body = { tenant_id: STANDALONE_TENANT, query: query.slice(0, QUERY_MAX), top_k: TOP_K };
  const plan = await planSearch(ctx, { body: everywhere ? body : { ...body, filter_agent_id: group }, ignored: [] });
  const question = readQuestion(plan.query, plan.asked_at);
  const { vector } = await embedQuery(ctx, plan.query);
  if (!vector) throw new Error("The model gave no vector.");
  const entities = await namedEntities(ctx.storage, plan.read_scope, plan.query);
  const asked = hitQuery({ plan, question, entities }, vector);
  const hits = async (legs: Legs) => {
    const found = await ctx.storage.memories.hits({
      ...asked,
      ...(legs === "words" ? { vector: null } : {}),
      ...(legs === "vectors" ? { words: [] } : {}),
    });
    return asAsked(found, question);
  };
  return {
    plan,
    question,
    entities,
    found: { both: await hits("both"), words: await hits("words"), vectors: await hits("vectors") },
  };
}

/** What ranking is told of a question beside what was found. */
export const rankingOf = (ctx: Ctx, { plan, question, entities }: Asked, { words }: HitReply): Ranking => ({
  question,
  now: plan.asked_at,
  calibration: ctx.embedder.calibration,
  entities: entityEvidence(entities, words),
});

/** What the set calls the best rows, best first, and their scores. */
export async function rank(ctx: Ctx, asked: Asked, variant: Variant): Promise<{ ref: string; score: number }[]> {
  const { plan, found } = asked;
  const { legs, weights, isNewestFirst } = variant;
  const weighed = scoreHits(found[legs], { ...rankingOf(ctx, asked, found[legs]), weights });
  const losses = isNewestFirst ? await penaltiesOf(ctx, plan, { question: asked.question, weighed }) : new Map();
  const ranked = rankHits(weighed, found[legs].words, { weights, losses }).slice(0, plan.top_k);
  const scores = new Map(ranked.map(({ hit, score }) => [hit.memory.id, score]));
  const rows = await ctx.storage.memories.several(plan.read_scope, [...scores.keys()]);
  return rows.map(({ id, metadata }) => ({ ref: String(metadata?.ref), score: scores.get(id) ?? 0 }));
}
