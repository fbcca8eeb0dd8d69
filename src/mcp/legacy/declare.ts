import { z } from "zod";
import type { CallInput } from "../../core/ports/mcp.ts";
import type { Told } from "../told.ts";
import type { ToolCall } from "../tool.ts";
import { schemaOf } from "../tool.ts";
import { ToolError } from "../tool-error.ts";

/** What an older tool answers: an object, or a sentence where the existing product answers with one. */
export type LegacyAnswer = Readonly<Record<string, unknown>> | Told;

/** A list, whether there is more of it, and where that begins if it can be asked for. */
export interface LegacyList {
  readonly items: readonly unknown[];
  readonly truncated: boolean;
  readonly next_offset: number | null;
}

/** What an older tool works with. */
export interface LegacyCall {
  /** Runs an operation and gives its reply. Throws ToolError for a refusal. */
  readonly ask: ToolCall["ask"];
  /** The same for a list, with what only the headers of the reply say. Throws ToolError. */
  askList(operation: string, input: CallInput): Promise<LegacyList>;
  /** Who acts: the key's agent, else the one named. Throws ToolError where a gateway vouches for a tenant and nobody is named. */
  agent(named: string | undefined): string;
  /** The fleet of the project that the client works in; undefined for none. Throws ToolError where that cannot be told. */
  readonly fleet: string | undefined;
  /** What is said beside the rules of a client whose project cannot be told: then only those that bind everyone are. */
  readonly missing_rules: readonly string[];
  readonly trust: number;
}

interface LegacySpec<I extends z.ZodObject> {
  /** Without its prefix. */
  readonly name: string;
  readonly description: string;
  readonly input: I;
  readonly reads?: boolean;
  readonly destroys?: boolean;
  /** Whether something new is stored in the client's own project. */
  saves?(input: z.infer<I>): boolean;
  run(call: LegacyCall, input: z.infer<I>): Promise<LegacyAnswer>;
}

/** A tool of the existing product, with its types forgotten. */
export interface LegacyTool {
  readonly name: string;
  readonly input: z.ZodObject;
  /** As `tools/list` shows it. These tools never had output schemas. */
  readonly listed: Readonly<Record<string, unknown>>;
  /** Whether something new is stored in the client's own project. */
  saves(input: unknown): boolean;
  run(call: LegacyCall, input: unknown): Promise<LegacyAnswer>;
}

/** Declares an older tool; the compiler holds its work to its arguments. */
export function legacyTool<I extends z.ZodObject>(spec: LegacySpec<I>): LegacyTool {
  const { description, input, reads = false, destroys = false } = spec;
  const name = `caura_${spec.name}`;
  return {
    name,
    input,
    listed: {
      name,
      description,
      inputSchema: schemaOf(input, "input"),
      annotations: { readOnlyHint: reads, destructiveHint: destroys, openWorldHint: false },
    },
    // Safe, both: the caller passes exactly what `input` of this same spec produced.
    saves: (given) => spec.saves?.(given as z.infer<I>) ?? false,
    run: (call, given) => spec.run(call, given as z.infer<I>),
  };
}

/** The agent that a call is made for, as nearly every older tool takes it. */
export const AgentArgument = z.string().optional().describe("Agent that acts; mcp-agent unless given.");

/** Whose memories a list or a count covers. */
export const ScopeArgument = z.enum(["agent", "fleet", "all"]).default("agent");

/** The argument that an op cannot do without. Throws INVALID_ARGUMENTS when it is missing. */
export function required<T>(op: string, name: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw new ToolError("INVALID_ARGUMENTS", `op=${op} requires '${name}'.`);
}
