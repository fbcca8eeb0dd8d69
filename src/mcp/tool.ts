import { z } from "zod";
import type { Ask } from "./ask.ts";
import type { Scope } from "./scope.ts";
import type { Told } from "./told.ts";

/** What a tool works with. */
export interface ToolCall {
  readonly ask: Ask;
  readonly scope: Scope;
}

/** What MCP is answered for a call of a tool. */
export interface ToolResult {
  readonly [member: string]: unknown;
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** What a tool answers: data, whose texts are quoted on their way out, and a short text for the model. */
export interface ToolAnswer<O> {
  readonly structured: O;
  readonly text: Told;
}

interface ToolSpec<I extends z.ZodObject, O extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For a model that decides when to call it. */
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly reads?: boolean;
  readonly destroys?: boolean;
  /** Whether saying it twice is the same as saying it once. */
  readonly repeats?: boolean;
  /** Whether something new is stored in the project. */
  saves?(input: z.infer<I>): boolean;
  run(call: ToolCall, input: z.infer<I>): Promise<ToolAnswer<z.infer<O>>>;
}

/** A tool with its types forgotten: what the handler and the documentation iterate over. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** As `tools/list` shows it; made once. */
  readonly listed: Readonly<Record<string, unknown>>;
  /** Whether something new is stored in the project. */
  saves(input: unknown): boolean;
  run(call: ToolCall, input: unknown): Promise<ToolAnswer<Readonly<Record<string, unknown>>>>;
}

/**
 * Declares a tool; the compiler holds its work to its schemas.
 *
 * @example
 * export const whoami = tool({
 *   name: "whoami",
 *   title: "Who am I",
 *   description: "The identity that calls resolve to.",
 *   input: z.object({}),
 *   output: Whoami,
 *   reads: true,
 *   run: async (call) => {
 *     const structured = Whoami.parse(await call.ask("whoami", {}));
 *     return { structured, text: told`You are ${structured.agent_id ?? "the owner"}.` };
 *   },
 * })
 */
export function tool<I extends z.ZodObject, O extends z.ZodObject>(spec: ToolSpec<I, O>): Tool {
  const { name, title, description, input, output, reads = false, destroys = false, repeats = reads } = spec;
  return {
    name,
    title,
    description,
    input,
    listed: {
      name,
      title,
      description,
      inputSchema: schemaOf(input, "input"),
      outputSchema: schemaOf(output, "output"),
      annotations: { readOnlyHint: reads, destructiveHint: destroys, idempotentHint: repeats, openWorldHint: false },
    },
    // Safe, both: the handler passes exactly what `input` of this same spec produced.
    saves: (given) => spec.saves?.(given as z.infer<I>) ?? false,
    run: (call, given) => spec.run(call, given as z.infer<I>),
  };
}

/**
 * A schema as clients are told of it. Every conversation pays for its tokens: bounds that no one would break by accident are
 * checked and not told, and of answers there is only the shape.
 */
export function schemaOf(schema: z.ZodObject, io: "input" | "output"): Readonly<Record<string, unknown>> {
  const { $schema: _, ...told } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      for (const name of UNTOLD[io]) delete jsonSchema[name];
    },
  });
  return told;
}

const BOUNDS = ["minLength", "maxLength", "pattern", "minItems", "maxItems", "format"] as const;
const UNTOLD = {
  input: BOUNDS,
  output: [...BOUNDS, "minimum", "maximum", "description", "additionalProperties", "title", "required"],
} as const;
