import { skillSight } from "../access/skill-sight.ts";
import { requireTenant } from "../access/tenant.ts";
import { embedQuestion } from "../embedding/in-time.ts";
import { AppError } from "../kernel/errors.ts";
import { rounded } from "../kernel/text.ts";
import { namedTerms, tellingTerms } from "../kernel/words.ts";
import type { Ctx } from "../ports/context.ts";
import type { DocumentFindings, DocumentSearch } from "../schema/document.ts";
import { paraphraseQuestion } from "./paraphrase.ts";
import { rankDocuments } from "./score.ts";

/** Rows each leg contributes. */
const POOL = 200;
/** Finds documents by the meaning of their summary, read twice where it can be, and the words of all their texts. Throws BAD_REQUEST for a blank query. */
export async function searchDocuments(ctx: Ctx, body: DocumentSearch): Promise<DocumentFindings> {
  requireTenant(ctx, body.tenant_id);
  const query = body.query.trim();
  if (query === "") throw new AppError("BAD_REQUEST", "query must not be blank.");
  const [vector, paraphrase] = await Promise.all([embedQuestion(ctx, query), paraphraseQuestion(ctx, query)]);
  const found = await ctx.storage.documents.hits({
    tenant_id: body.tenant_id,
    collection: body.collection ?? undefined,
    fleet_id: body.fleet_id ?? undefined,
    sight: await skillSight(ctx, body.collection ?? null),
    vector,
    paraphrase,
    words: tellingTerms(query),
    pool: POOL,
  });
  const results = rankDocuments(found, {
    names: namedTerms(query),
    calibration: ctx.embedder.calibration,
    paraphrase: paraphrase && (ctx.paraphraser?.calibration ?? null),
  })
    .slice(0, body.top_k)
    .map(({ hit: { document, vec_sim }, score }) => ({
      collection: document.collection,
      doc_id: document.doc_id,
      data: document.data,
      similarity: rounded(vec_sim ?? 0),
      score: rounded(score),
    }));
  return { collection: body.collection ?? null, count: results.length, results, items: results };
}
