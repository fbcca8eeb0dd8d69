import { z } from "zod";

const text = z.string().nullish();

export const Message = z.object({
  id: z.string(),
  author: z.object({ role: z.string() }),
  create_time: z.union([z.number(), z.string()]).nullish(),
  recipient: text,
  content: z
    .object({
      content_type: text,
      parts: z.array(z.unknown()).nullish(),
      user_profile: text,
      user_instructions: text,
      model_set_context: text,
    })
    .nullish(),
  metadata: z
    .object({
      is_visually_hidden_from_conversation: z.boolean().nullish(),
      user_context_message_data: z.object({ about_user_message: text, about_model_message: text }).nullish(),
    })
    .nullish(),
});
export type Message = z.infer<typeof Message>;

const Node = z.object({ parent: text, children: z.array(z.string()).nullish(), message: z.unknown() });
type Node = z.infer<typeof Node>;

interface Step {
  readonly node: string;
  /** Not checked yet. */
  readonly message: unknown;
}

/** The messages from the root of a conversation to its current end; answers and questions that were replaced are not among them. */
export function branchOf(mapping: Readonly<Record<string, unknown>>, current: string | null | undefined): Step[] {
  const nodes = new Map(Object.entries(mapping).map(([id, node]) => [id, Node.safeParse(node).data]));
  const steps: Step[] = [];
  const seen = new Set<string>();
  let id: string | null | undefined = current && nodes.has(current) ? current : lastLeaf(nodes);
  while (id && !seen.has(id)) {
    seen.add(id);
    const node = nodes.get(id);
    if (node?.message) steps.push({ node: id, message: node.message });
    id = node?.parent;
  }
  return steps.reverse();
}

/** Where the end is not named: the last node without children. */
const lastLeaf = (nodes: ReadonlyMap<string, Node | undefined>): string | null =>
  [...nodes].findLast(([, node]) => node && (node.children ?? []).length === 0)?.[0] ?? null;

const Spoken = z.object({ content_type: z.literal("audio_transcription"), text: z.string() });

/** What was written or said; images and files have no text. */
export const textOf = ({ content }: Message): string =>
  (content?.parts ?? [])
    .map((part) => (typeof part === "string" ? part : (Spoken.safeParse(part).data?.text ?? "")))
    .join("\n")
    .trim();
