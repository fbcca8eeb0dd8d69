import { skillVisibility } from "../access/skill-visibility.ts";
import { requireTenant } from "../access/tenant.ts";
import { AppError } from "../core/kernel/errors.ts";
import { rounded } from "../core/kernel/text.ts";
import type { Ctx } from "../core/ports/context.ts";
import type { DocumentFindings, DocumentSearch } from "../core/schema/document.ts";
import { embedQuery } from "../text/embed-with-timeout.ts";
import { rarelyWritten } from "../text/words/terms.ts";
import { askedWords, asWritten } from "./forms.ts";
import { rankDocuments } from "./score.ts";

/** Rows each leg contributes. */
const POOL = 200;
/** Finds documents by the meaning of their summary, and the words of all their texts. Throws BAD_REQUEST for a blank query. */
export async function searchDocuments(
  ctx: Ctx,
  body: DocumentSearch,
): Promise<{ readonly findings: DocumentFindings; readonly isCut: boolean }> {
  requireTenant(ctx, body.tenant_id);
  const query = body.query.trim();
  if (query === "") throw new AppError("BAD_REQUEST", "query must not be blank.");
  const { vector } = await embedQuery(ctx, query);
  const asked = askedWords(query);
  const found = await ctx.storage.documents.hits({
    tenant_id: body.tenant_id,
    collection: body.collection ?? undefined,
    fleet_id: body.fleet_id ?? undefined,
    skill_visibility: await skillVisibility(ctx, body.collection ?? null),
    vector,
    words: [...asked.written, ...asked.forms.keys()],
    pool: POOL,
  });
  const ranked = rankDocuments(asWritten(found, asked), {
    names: rarelyWritten(query),
    calibration: ctx.embedder.calibration,
  }).slice(0, body.top_k);
  // Every hit stands in the reply twice.
  const wanted = { ids: ranked.map(({ hit }) => hit.document.id), bytes: ctx.limits.reply_bytes_limit / 2 };
  const { items, more } = await ctx.storage.documents.dataOf(body.tenant_id, wanted);
  const dataOf = new Map(items.map(({ id, data }) => [id, data]));
  const results = ranked.flatMap(({ hit: { document, vec_sim }, score }) => {
    const data = dataOf.get(document.id);
    const { collection, doc_id } = document;
    return data ? [{ collection, doc_id, data, similarity: rounded(vec_sim ?? 0), score: rounded(score) }] : [];
  });
  const findings = { collection: body.collection ?? null, count: results.length, results, items: results };
  return { findings, isCut: more };
}
