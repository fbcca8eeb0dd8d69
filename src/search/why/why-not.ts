import { readScopeOf } from "../../access/read-scope.ts";
import { rounded } from "../../core/kernel/text.ts";
import type { Ctx, SearchCtx } from "../../core/ports/context.ts";
import type { StoredMemory } from "../../core/ports/stored-memory.ts";
import type { WhyNotCheck, WhyNotReply, WhyNotRequest, WhyNotStage } from "../../core/schema/observing/why-not.ts";
import { noSuchMemory } from "../../memories/permissions.ts";
import { exclusion, toCandidate } from "../diagnose.ts";
import type { SearchResults } from "../find.ts";
import { findMemories } from "../find.ts";
import type { SearchInput, SearchPlan } from "../plan.ts";
import { planSearch } from "../plan.ts";
import { hasVector, isCandidate } from "./candidates.ts";
import type { Case, Outcome } from "./case.ts";
import { failed, passed } from "./case.ts";
import { throughFilters } from "./filters.ts";
import { hasRoom, isOwnText, isUnanswered, leastScore, reachesScore, reachesSimilarity } from "./thresholds.ts";

export interface WhyNotInput extends SearchInput {
  readonly body: WhyNotRequest;
}

/**
 * Says why a search does not return a memory, or where it stands there: the search is made, on this thread, and the memory
 * followed through it. No memory counts as recalled by it. Throws NOT_FOUND when the memory is unknown, deleted, of another
 * tenant or not visible, and what a search throws.
 */
export async function whyNot(ctx: Ctx, { body, ignored }: WhyNotInput): Promise<WhyNotReply> {
  const plan = await planSearch(ctx, { body, ignored });
  const memory = await visibleMemory(ctx, plan, body);
  const findings = await findMemories(ctx, plan);
  const ranked = findings.ranked.find(({ hit }) => hit.memory.id === memory.id) ?? null;
  const one: Case = { ctx, memory, findings, ranked, excluded: ranked && exclusion(findings, ranked) };
  const place = findings.returned.findIndex((row) => row.memory.id === memory.id);
  const { checks, outcome, stage } = await followed(one, place);
  const least = leastScore(findings.returned);
  return {
    memory_id: memory.id,
    stage,
    message: outcome.passed ? outcome.detail : `${outcome.detail} ${outcome.next}`,
    change: outcome.passed ? null : outcome.change,
    rank: ranked && findings.ranked.indexOf(ranked) + 1,
    returned: place >= 0,
    candidate: ranked && toCandidate(findings, ranked),
    best_returned: bestOf(findings),
    gap: ranked && least !== null ? rounded(least - ranked.score) : null,
    checks,
    warnings: findings.warnings.length > 0 ? [...findings.warnings] : null,
  };
}

/** The memory as the search would see it, or else as the caller does when it reads it by its id. */
async function visibleMemory(
  ctx: SearchCtx,
  { filter, read_scope }: SearchPlan,
  { memory_id, agent_id }: WhyNotRequest,
): Promise<StoredMemory> {
  const key = { tenant_id: filter.tenant_id, id: memory_id };
  const { memories } = ctx.storage;
  const memory = (await memories.get(key, read_scope)) ?? (await memories.get(key, readScopeOf(ctx, agent_id)));
  if (!memory) throw noSuchMemory();
  return memory;
}

type Check = (one: Case) => Outcome | Promise<Outcome>;

/** The stages but for the last one, in the order in which a search works. */
const CHECKS: readonly (readonly [stage: WhyNotStage, check: Check])[] = [
  ["exists", () => passed("It exists, and the caller sees it.")],
  ["filters", throughFilters],
  ["vector", hasVector],
  ["candidates", isCandidate],
  ["min_similarity", reachesSimilarity],
  ["min_score", reachesScore],
  ["same_text", isOwnText],
  ["successor", isUnanswered],
  ["top_k", hasRoom],
];

/** Where the way of a memory ends. */
interface Followed {
  readonly checks: WhyNotCheck[];
  readonly stage: WhyNotStage;
  readonly outcome: Outcome;
}

/** Follows a memory through the stages, up to the first that it does not come through; and to its place, where it has one. */
async function followed(one: Case, place: number): Promise<Followed> {
  const checks: WhyNotCheck[] = [];
  const ended = (stage: WhyNotStage, outcome: Outcome): Followed => {
    checks.push({ stage, passed: outcome.passed, detail: outcome.detail });
    return { checks, stage, outcome };
  };
  for (const [stage, check] of CHECKS) {
    const reached = ended(stage, await check(one));
    if (reached.outcome.passed) continue;
    if (place < 0) return reached;
    break;
  }
  return ended("returned", isReturned(one, place));
}

/** Where the memory stands in the reply. */
function isReturned({ findings: { returned } }: Case, place: number): Outcome {
  if (place < 0) return failed("It was deleted while the search ran.", "Write it anew, or restore it.");
  const at = `It is returned, at place ${place + 1} of ${returned.length}`;
  if (returned[place]?.ranked) return passed(`${at}.`);
  const below = returned.slice(place).find(({ ranked }) => ranked !== null);
  return passed(`${at}: it stands in for the superseded memory ${below?.memory.id ?? "below it"}.`);
}

function bestOf({ returned }: SearchResults): WhyNotReply["best_returned"] {
  const [best] = returned.flatMap(({ ranked }) => ranked ?? []).sort((a, b) => b.score - a.score);
  return best ? { id: best.hit.memory.id, score: rounded(best.score) } : null;
}
