import { STANDALONE_TENANT } from "../../src/access/resolve.ts";
import type { NamedEntities } from "../../src/entities/match.ts";
import { namedEntities } from "../../src/entities/match.ts";
import { writeMemories } from "../../src/memories/bulk.ts";
import type { Ctx } from "../../src/ports/context.ts";
import type { HitReply } from "../../src/ports/hits.ts";
import { entityEvidence } from "../../src/retrieval/entities.ts";
import { hitQuery } from "../../src/retrieval/findings.ts";
import type { SearchPlan } from "../../src/retrieval/plan.ts";
import { planSearch } from "../../src/retrieval/plan.ts";
import type { Question } from "../../src/retrieval/question.ts";
import { readQuestion } from "../../src/retrieval/question.ts";
import { rankHits } from "../../src/retrieval/score.ts";
import { BULK_MAX } from "../../src/schema/memory.ts";
import { QUERY_MAX } from "../../src/schema/retrieval.ts";
import type { QuestionSet, SetQuery } from "./set.ts";
import { toItem } from "./set.ts";
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
  const [values] = await ctx.embedder.embed([plan.query], { role: "query", priority: "interactive" });
  if (!values) throw new Error("The model gave no vector.");
  const entities = await namedEntities(ctx.storage, plan.reach, plan.query);
  const asked = hitQuery({ plan, question, entities }, { embedder_id: ctx.embedder.id, values });
  const hits = (legs: Legs) =>
    ctx.storage.memories.hits({
      ...asked,
      ...(legs === "words" ? { vector: null } : {}),
      ...(legs === "vectors" ? { words: [] } : {}),
    });
  return {
    plan,
    question,
    entities,
    found: { both: await hits("both"), words: await hits("words"), vectors: await hits("vectors") },
  };
}

/** The names that the set gives the best rows, best first. */
export async function rank(ctx: Ctx, { plan, question, entities, found }: Asked, variant: Variant): Promise<string[]> {
  const { legs, weights } = variant;
  const { calibration } = ctx.embedder;
  const evidence = entityEvidence(entities, found[legs].words);
  const ranking = { question, now: plan.asked_at, calibration, weights, entities: evidence };
  const ranked = rankHits(found[legs], ranking).slice(0, plan.top_k);
  const ids = ranked.map(({ hit }) => hit.memory.id);
  const rows = await ctx.storage.memories.several(plan.reach, ids);
  return rows.map(({ metadata }) => String(metadata?.ref));
}
