import type { Ctx } from "../../src/core/ports/context.ts";
import { namedEntities } from "../../src/entities/match.ts";
import { entityEvidence } from "../../src/search/entities.ts";
import { hitQuery, penaltiesOf, toItems } from "../../src/search/find.ts";
import { planSearch } from "../../src/search/plan.ts";
import { readQuestion } from "../../src/search/question.ts";
import { rankHits, scoreHits } from "../../src/search/rank.ts";
import { placeHits } from "../../src/search/successors.ts";
import { embedQuery } from "../../src/text/embed-with-timeout.ts";
import type { Measurement, Section } from "./figures.ts";
import { spread } from "./figures.ts";
import { ctxOf, openApp } from "./folder.ts";

const STAGES = ["embed_query", "entities", "keyword", "vector", "load", "rank", "reply"] as const;
type Stages = Readonly<Record<(typeof STAGES)[number], number>>;
interface Split {
  readonly stages: Stages;
  /** What a search takes longer than the model alone. */
  readonly beside_model: number;
}
const TOP_K = 10;
/** Searches before the first that counts: the compiler needs some to find out what is hot. */
const WARM_UP = 50;

/** Where the time of a search goes: the stages of /search one by one, inside this process. */
export async function benchSplit(
  folder: string,
  questions: readonly string[],
  section: Section,
): Promise<Measurement[]> {
  const app = await openApp(folder);
  await app.services.embedder.ready();
  const ctx = await ctxOf(app);
  const splits: Split[] = [];
  for (const question of questions) splits.push(await searchInStages(ctx, question));
  await app.stop();
  const counted = splits.slice(WARM_UP);
  const rest = counted.map(({ stages: { embed_query, ...others } }) =>
    Object.values(others).reduce((sum, ms) => sum + ms, 0),
  );
  return [
    ...STAGES.map((stage) =>
      spread(
        section,
        `split.${stage}_ms`,
        counted.map(({ stages }) => stages[stage]),
      ),
    ),
    spread(section, "split.without_embedding_ms", rest, "entities + keyword + vector + load + rank + reply"),
    spread(
      section,
      "split.beside_model_ms",
      counted.map(({ beside_model }) => beside_model),
      "a search less the model alone: entities and keyword are done while it works",
    ),
  ];
}

async function searchInStages(ctx: Ctx, query: string): Promise<Split> {
  const plan = await planSearch(ctx, {
    body: { tenant_id: ctx.principal.tenant_id ?? "", query, top_k: TOP_K },
    ignored: [],
  });
  const aloneAt = performance.now();
  // A question of its own: the other one would be remembered.
  await embedQuery(ctx, `${query} Really?`);
  const startedAt = performance.now();
  const embedding = embedQuery(ctx, query);
  const question = readQuestion(plan.query, plan.asked_at);
  const askedAt = performance.now();
  const entities = await namedEntities(ctx.storage, plan.read_scope, plan.query);
  const namedAt = performance.now();
  const found = await ctx.storage.memories.hits(hitQuery({ plan, question, entities }, (await embedding).vector));
  const foundAt = performance.now();
  const weighed = scoreHits(found, {
    question,
    now: plan.asked_at,
    calibration: ctx.embedder.calibration,
    entities: entityEvidence(entities, found.words),
  });
  const losses = await penaltiesOf(ctx, plan, { question, weighed });
  const ranked = rankHits(weighed, found.words, { losses });
  const rankedAt = performance.now();
  const { returned } = await placeHits(ctx, plan, { hits: ranked, changed: new Map() });
  Response.json({ items: toItems({ returned, superseded: new Map(), changed: new Map() }) });
  const doneAt = performance.now();
  const stages = {
    ...found.took_ms,
    embed_query: startedAt - aloneAt,
    entities: namedAt - askedAt,
    rank: rankedAt - foundAt,
    reply: doneAt - rankedAt,
  };
  return { stages, beside_model: doneAt - startedAt - stages.embed_query };
}
