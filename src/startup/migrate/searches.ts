import type { Ctx } from "../../core/ports/context.ts";
import type { TransferRecord } from "../../core/schema/keeping/transfer.ts";
import { SearchRequest } from "../../core/schema/retrieval.ts";
import { searchMemories } from "../../search/search.ts";

/** Searches that are put to both sides. */
export const SEARCHES = 50;
/** Places of a list that are compared. */
const TOP = 10;
/** Characters of a text that are asked for. */
const QUESTION_LENGTH = 200;

export interface Question {
  readonly tenant_id: string;
  readonly query: string;
}

/** Picks questions among the memories that pass, evenly over all of them. */
export function createQuestions(): {
  readonly all: readonly Question[];
  pass(tenant_id: string, record: TransferRecord): void;
} {
  const all: Question[] = [];
  let seen = 0;
  let every = 1;
  return {
    all,
    pass(tenant_id, record) {
      if (record.record !== "memory" || record.visibility === "scope_agent" || seen++ % every !== 0) return;
      all.push({ tenant_id, query: record.content.slice(0, QUESTION_LENGTH) });
      if (all.length < 2 * SEARCHES) return;
      // Every second one makes room, and from now on half as many come.
      all.splice(0, all.length, ...all.filter((_, i) => i % 2 === 0));
      every *= 2;
    },
  };
}

/** The share of places in which the same memories come first on both sides; 1 where nothing is asked. */
export async function agreementOf(
  sides: (tenant_id: string) => readonly [Ctx, Ctx],
  questions: readonly Question[],
): Promise<number> {
  let [same, all] = [0, 0];
  for (const { tenant_id, query } of questions) {
    const [from, to] = sides(tenant_id);
    const [expected, found] = [await idsFor(from, tenant_id, query), await idsFor(to, tenant_id, query)];
    same += expected.filter((id) => found.includes(id)).length;
    all += Math.max(expected.length, found.length);
  }
  return all === 0 ? 1 : same / all;
}

/** A diagnostic search leaves no trace. */
async function idsFor(ctx: Ctx, tenant_id: string, query: string): Promise<string[]> {
  const body = SearchRequest.parse({ tenant_id, query, top_k: TOP, diagnostic: true });
  const { items } = await searchMemories(ctx, { body, ignored: [] });
  return items.flatMap(({ id }) => id ?? []);
}
