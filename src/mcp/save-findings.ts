import { z } from "zod";
import { quoted } from "../core/kernel/quoting/quote.ts";
import { ContradictionsReply } from "../core/schema/contradiction.ts";
import { SimilarReply } from "../core/schema/memory-query.ts";
import { holdsSecret } from "../text/personal-data.ts";
import { charactersFor, cutTo } from "./tokens.ts";
import type { Told } from "./told.ts";
import { told } from "./told.ts";
import type { ToolCall } from "./tool.ts";

/** What new memories meet among the old ones. */
export const SaveFindings = z.object({
  similar: z.array(z.object({ id: z.string(), text: z.string() })).describe("Say nearly the same."),
  contradicts: z
    .array(z.object({ id: z.string(), text: z.string(), now: z.string().describe("What became of the other one.") }))
    .describe("Say the contrary, or were overtaken."),
  note: z.string().nullable(),
});
export type SaveFindings = z.infer<typeof SaveFindings>;

/**
 * How long a save waits for the detector, in milliseconds: on an idle machine it is through with a statement in 30 to 80. What
 * it finds later is in the memory's contradictions.
 */
const WAIT_MS = 300;
/** Of a longer list only these are looked at: the others' contradictions come later. */
const LOOKED_AT = 10;
const TEXT_TOKENS = 40;

const SECRET =
  "It looks like it holds a password or a key, and is told to whoever may read it: forget it, and ask the user.";

/** What the memories of these ids meet, which say these texts: waits a bounded time for the detector. */
export async function saveFindings(
  call: ToolCall,
  ids: readonly string[],
  texts: readonly string[],
): Promise<SaveFindings> {
  const met = await metBy(call, ids);
  if (ids.length === 0 || !texts.some(holdsSecret)) return met;
  return { ...met, note: [SECRET, ...(met.note === null ? [] : [met.note])].join(" ") };
}

async function metBy(call: ToolCall, ids: readonly string[]): Promise<SaveFindings> {
  const looked = ids.slice(0, LOOKED_AT);
  if (looked.length === 0) return { similar: [], contradicts: [], note: null };
  const found = await Promise.all(looked.map((id) => contradictionsOf(call, id)));
  const contradicts = found.flatMap(({ contradictions }) => contradictions).map(toldOf);
  const alike = await Promise.all(looked.map((id) => similarTo(call, id)));
  const known = new Set([...ids, ...contradicts.map(({ id }) => id)]);
  const similar = new Map(
    alike.flatMap(({ items }) =>
      items.filter(({ id }) => !known.has(id)).map(({ id, content_preview }) => [id, content_preview] as const),
    ),
  );
  const isLate = found.some(({ checked_at }) => checked_at === null) || ids.length > looked.length;
  return {
    similar: Array.from(similar, ([id, text]) => ({
      id,
      text: cutTo(quoted(text, charactersFor(TEXT_TOKENS)), TEXT_TOKENS),
    })),
    contradicts,
    note: isLate ? "Still looking for contradictions: get will show those that are found later." : null,
  };
}

const toldOf = ({ memory_id, content_preview, status }: ContradictionsReply["contradictions"][number]) => ({
  id: memory_id,
  text: cutTo(quoted(content_preview, charactersFor(TEXT_TOKENS)), TEXT_TOKENS),
  now: status,
});

const contradictionsOf = async ({ ask, scope: { agent_id } }: ToolCall, memory_id: string) =>
  ContradictionsReply.parse(
    await ask("getContradictions", { params: { memory_id }, query: { agent_id, wait_ms: WAIT_MS } }),
  );

const similarTo = async ({ ask, scope: { agent_id } }: ToolCall, memory_id: string) =>
  SimilarReply.parse(await ask("listSimilar", { params: { memory_id }, query: { agent_id } }));

/** The same in words. */
export const saveFindingLines = ({ similar, contradicts, note }: SaveFindings): Told[] => [
  ...similar.map(({ id, text }) => told`nearly the same [${id}]: ${text}`),
  ...contradicts.map(({ id, text, now }) => told`contradicts [${id}, now ${now}]: ${text}`),
  ...(note === null ? [] : [told`${note}`]),
];
