import type { CallToolResult, GetPromptResult, InputRequiredResult, ServerContext } from "@modelcontextprotocol/server";

type Asking<T> = Promise<T | InputRequiredResult>;

/** A tool that is listed as it says and answers whatever the protocol allows. */
export interface ExtraTool {
  readonly listed: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: { readonly type: "object" };
  };
  /** Throws ToolError for a refusal. */
  run(given: Readonly<Record<string, unknown>>, context: ServerContext): Asking<CallToolResult>;
}

export interface ExtraPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  get(given: Readonly<Record<string, string>>, context: ServerContext): Asking<GetPromptResult>;
}

export interface ExtraResource {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly content: { readonly text: string } | { readonly blob: string };
}

/** Many resources by one pattern. */
export interface ExtraTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly mimeType: string;
  /** The text at an address; null where the pattern does not fit. */
  textAt(uri: string): string | null;
}

/**
 * What is served beside the product's own. The suite of the protocol asks for tools, resources and prompts that no product has;
 * with them it tests this very transport, these lists and these errors.
 */
export interface Extras {
  readonly tools: readonly ExtraTool[];
  readonly prompts: readonly ExtraPrompt[];
  readonly resources: readonly ExtraResource[];
  readonly templates: readonly ExtraTemplate[];
}

export const NO_EXTRAS: Extras = { tools: [], prompts: [], resources: [], templates: [] };

/** What is at an address of an extra resource; null where there is none. */
export function extraAt({ resources, templates }: Extras, uri: string) {
  const resource = resources.find((one) => one.uri === uri);
  if (resource) return { mimeType: resource.mimeType, ...resource.content };
  for (const { mimeType, textAt } of templates) {
    const text = textAt(uri);
    if (text !== null) return { mimeType, text };
  }
  return null;
}
