import { z } from "zod";
import { quotedName } from "../core/kernel/quoting/quote.ts";
import { authorInWords, KeystoneData } from "../core/schema/keystone.ts";
import { KeystoneProposal } from "../core/schema/keystone-proposal.ts";
import type { RulePlace } from "../core/schema/keystones/place.ts";
import type { ToolCall } from "./tool.ts";
import { ToolError } from "./tool-error.ts";

export const Rules = z.array(
  z.object({
    doc_id: z.string(),
    fleet_id: z.string().nullable(),
    data: KeystoneData.pick({
      title: true,
      content: true,
      scope: true,
      agent_id: true,
      set_by: true,
      author: true,
      set_over: true,
      proposed_by: true,
      locked: true,
    }),
  }),
);
export type ShownRule = z.infer<typeof Rules>[number];

/** The rules that bind a caller in its project, heaviest first; where that cannot be told, those that bind it everywhere. Throws ToolError. */
export async function keystonesOf({ ask, scope }: ToolCall): Promise<ShownRule[]> {
  const { place, agent_id } = scope;
  const query = place.kind === "project" ? { fleet_id: place.id, agent_id } : { agent_id };
  return Rules.parse(await ask("listKeystones", { query }));
}

/** What is said beside the rules of a caller whose project cannot be told. */
export const missingRules = ({ place }: ToolCall["scope"]): string[] =>
  place.kind !== "unknown"
    ? []
    : [
        `Only the rules that bind everyone are told; those of this project are not, as it cannot be told which it is: ${place.why.message}`,
      ];

/** Who set a rule, as whoever reads it is told. */
export const setBy = ({ data }: ShownRule): string => `set by: ${quotedName(authorInWords(data))}`;

interface NamedRule {
  readonly doc_id: string;
  readonly [field: string]: unknown;
}

/** What became of a change of the rules: done, or left to a person. */
export interface Outcome {
  readonly result: unknown;
  readonly isProposed: boolean;
}

/** Sets a rule at its place, beside those of its name elsewhere; proposes it where that is for a person to decide. Throws ToolError. */
export function setRule(ask: ToolCall["ask"], { doc_id, ...text }: NamedRule): Promise<Outcome> {
  const rule = { ...text, place: true };
  return orPropose(ask, ask("writeKeystone", { body: { doc_id, ...rule } }), { doc_id, rule });
}

/** Which rule of a name is meant; one that no other stands for is meant by whatever fits it. */
export interface RuleAsked {
  readonly scope?: RulePlace["scope"] | undefined;
  readonly fleet_id?: string | undefined;
  readonly agent_id?: string | undefined;
  /** Only that at just this place. */
  readonly place?: boolean;
}

/** Removes a rule; proposes that where it is for a person to decide. Throws ToolError. */
export const removeRule = (ask: ToolCall["ask"], doc_id: string, asked: RuleAsked): Promise<Outcome> =>
  orPropose(ask, ask("removeKeystone", { params: { doc_id }, query: { ...asked } }), { doc_id, rule: null, ...asked });

async function orPropose(ask: ToolCall["ask"], doing: Promise<unknown>, proposal: NamedRule): Promise<Outcome> {
  try {
    return { result: await doing, isProposed: false };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "PERSON_REQUIRED") throw error;
    return { result: await ask("proposeKeystone", { body: proposal }), isProposed: true };
  }
}

/** What an agent is told of its proposal. */
export function proposedText(doc_id: string, result: unknown): string {
  const isNew = Proposed.safeParse(result).data?.change === "new";
  const stands = isNew ? "binds nobody" : "stays as it was";
  return `Proposed only: ${doc_id} ${stands} until a person accepts this, with \`cairn keystones accept ${doc_id}\` on a terminal or in the console.`;
}

const Proposed = KeystoneProposal.pick({ change: true });
