import type { TestClient } from "./clients.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A call of an older tool as its clients read it. */
export interface LegacyCalls {
  /** The JSON of a call that must succeed, without the time that it took. */
  ask(tool: string, given?: Fields): Promise<Record<string, unknown>>;
  /** The sentence of a call that answers with one. */
  told(tool: string, given?: Fields): Promise<string>;
  /** The error of a call that must be refused. */
  refused(tool: string, given?: Fields): Promise<{ code: string; message: string; details?: Fields }>;
}

/** Reads the one text of an answer, and holds it to the shape that all older tools share. */
export function legacyCalls({ call }: Pick<TestClient, "call">, prefix = "caura"): LegacyCalls {
  const run = async (tool: string, given: Fields = {}) => {
    const { content, isError = false, structuredContent } = await call(`${prefix}_${tool}`, { ...given });
    const [only, ...others] = content;
    if (only?.type !== "text" || others.length > 0 || structuredContent !== undefined)
      throw new Error(`${tool} answered with more than one text: ${JSON.stringify(content)}`);
    return { text: only.text ?? "", isError };
  };
  const parsed = (text: string): Record<string, unknown> => {
    const { _latency_ms, ...rest } = JSON.parse(text);
    if (!Number.isInteger(_latency_ms)) throw new Error(`No whole _latency_ms in ${text}`);
    return rest;
  };
  return {
    ask: async (tool, given) => {
      const { text, isError } = await run(tool, given);
      if (isError) throw new Error(`${tool} was refused: ${text}`);
      return parsed(text);
    },
    told: async (tool, given) => {
      const { text, isError } = await run(tool, given);
      const [, sentence] = /^([\s\S]*)\n_latency_ms: \d+$/.exec(text) ?? [];
      if (isError || sentence === undefined) throw new Error(`${tool} answered otherwise: ${text}`);
      return sentence;
    },
    refused: async (tool, given) => {
      const { text, isError } = await run(tool, given);
      if (!isError) throw new Error(`${tool} was not refused: ${text}`);
      const { error, ...rest } = parsed(text);
      if (Object.keys(rest).length > 0) throw new Error(`${tool} says more than its error: ${text}`);
      return error as Awaited<ReturnType<LegacyCalls["refused"]>>;
    },
  };
}
