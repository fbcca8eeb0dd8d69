import { namedEntities } from "../../src/entities/match.ts";
import type { Ctx } from "../../src/ports/context.ts";
import { entityEvidence } from "../../src/retrieval/entities.ts";
import { hitQuery, toItems } from "../../src/retrieval/findings.ts";
import { planSearch } from "../../src/retrieval/plan.ts";
import { readQuestion } from "../../src/retrieval/question.ts";
import { rankHits } from "../../src/retrieval/score.ts";
import { placeHits } from "../../src/retrieval/successors.ts";
import type { Measurement, Section } from "./figures.ts";
import { spread } from "./figures.ts";
import { ctxOf, openApp } from "./folder.ts";

const STAGES = ["embed_query", "entities", "vector", "keyword", "load", "rank", "reply"] as const;
type Split = Readonly<Record<(typeof STAGES)[number], number>>;
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
  const rest = counted.map(({ embed_query, ...stages }) => Object.values(stages).reduce((sum, ms) => sum + ms, 0));
  return [
    ...STAGES.map((stage) =>
      spread(
        section,
        `split.${stage}_ms`,
        counted.map((split) => split[stage]),
      ),
    ),
    spread(section, "split.without_embedding_ms", rest, "entities + vector + keyword + load + rank + reply"),
  ];
}

async function searchInStages(ctx: Ctx, query: string): Promise<Split> {
  const startedAt = performance.now();
  const [values] = await ctx.embedder.embed([query], { role: "query", priority: "interactive" });
  const embeddedAt = performance.now();
  const plan = planSearch(ctx, {
    body: { tenant_id: ctx.principal.tenant_id ?? "", query, top_k: TOP_K },
    ignored: [],
  });
  const question = readQuestion(plan.query, plan.asked_at);
  const vector = values ? { embedder_id: ctx.embedder.id, values } : null;
  const entities = await namedEntities(ctx.storage, plan.reach, plan.query);
  const namedAt = performance.now();
  const found = await ctx.storage.memories.hits(hitQuery({ plan, question, entities }, vector));
  const foundAt = performance.now();
  const { calibration } = ctx.embedder;
  const ranked = rankHits(found, {
    question,
    now: plan.asked_at,
    calibration,
    entities: entityEvidence(entities, found.words),
  });
  const rankedAt = performance.now();
  const returned = await placeHits(ctx, plan, ranked);
  Response.json({ items: toItems({ returned, superseded: new Map() }) });
  return {
    ...found.took_ms,
    embed_query: embeddedAt - startedAt,
    entities: namedAt - embeddedAt,
    rank: rankedAt - foundAt,
    reply: performance.now() - rankedAt,
  };
}
