import { z } from "zod";
import { preview } from "../kernel/text.ts";
import { ContradictionsReply } from "../schema/contradiction.ts";
import { CARD_FIELDS, CardRow } from "./cards.ts";
import type { ToolCall } from "./tool.ts";

/** What new memories meet among the old ones. */
export const Met = z.object({
  similar: z.array(z.object({ id: z.string(), text: z.string() })).describe("Say nearly the same."),
  contradicts: z
    .array(z.object({ id: z.string(), text: z.string(), now: z.string().describe("What became of the other one.") }))
    .describe("Say the contrary, or were overtaken."),
  note: z.string().nullable(),
});
export type Met = z.infer<typeof Met>;

/**
 * How long a save waits for the detector, in milliseconds: on an idle machine it is through with a statement in 30 to 80. What
 * it finds later is in the memory's contradictions.
 */
const WAIT_MS = 300;
const POLL_MS = 15;
/** From this cosine on two statements say nearly the same, as the write mode `strong` has it. */
const SIMILAR = 0.95;
/** Of a longer list only these are looked at: the others' contradictions come later. */
const LOOKED_AT = 3;
const TEXT_MAX = 160;

const Found = z.object({ items: z.array(CardRow) });

/** What the memories of these ids and texts meet: waits a bounded time for the detector. */
export async function metBy(call: ToolCall, ids: readonly string[], texts: readonly string[]): Promise<Met> {
  const looked = ids.slice(0, LOOKED_AT);
  if (looked.length === 0) return { similar: [], contradicts: [], note: null };
  const [similar, checked] = await Promise.all([
    Promise.all(texts.slice(0, LOOKED_AT).map((text) => similarTo(call, text, ids))),
    Promise.all(looked.map((id) => contradictionsOf(call, id))),
  ]);
  const contradicts = checked.flatMap(({ found }) => found);
  const known = new Set(contradicts.map(({ id }) => id));
  const isLate = checked.some(({ isDone }) => !isDone) || ids.length > looked.length;
  return {
    similar: similar.flat().filter(({ id }) => !known.has(id)),
    contradicts,
    note: isLate ? "Still looking for contradictions: they will show on the memory itself." : null,
  };
}

async function similarTo(call: ToolCall, text: string, own: readonly string[]): Promise<Met["similar"]> {
  const { project, reader } = call.scope;
  const body = {
    query: text.slice(0, 5_000),
    top_k: 4,
    fields: CARD_FIELDS,
    ...(project === null ? {} : { fleet_ids: [project] }),
    ...(reader === null ? {} : { caller_agent_id: reader }),
  };
  const { items } = Found.parse(await call.ask("searchMemories", { body }));
  return items
    .filter(({ id, similarity }) => !own.includes(id) && (similarity ?? 0) >= SIMILAR)
    .map(({ id, content }) => ({ id, text: preview(content, TEXT_MAX) }));
}

async function contradictionsOf(call: ToolCall, id: string): Promise<{ found: Met["contradicts"]; isDone: boolean }> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const reply = ContradictionsReply.parse(await call.ask("getContradictions", { params: { memory_id: id } }));
    const isDone = reply.checked_at !== null;
    if (isDone || performance.now() >= deadline) {
      const found = reply.contradictions.map((one) => ({
        id: one.memory_id,
        text: one.content_preview,
        now: one.status,
      }));
      return { found, isDone };
    }
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
}
