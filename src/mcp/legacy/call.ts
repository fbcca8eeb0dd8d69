import { z } from "zod";
import { nearestWord, preview } from "../../core/kernel/text.ts";
import type { Exchange } from "../../core/ports/mcp.ts";
import { refusalIn } from "../ask.ts";
import { faultsOf, firstOf } from "../faults.ts";
import { meantBy } from "../meant.ts";
import { projectIdOf } from "../places/place.ts";
import { missingRules } from "../rules.ts";
import { toolCall } from "../session.ts";
import { Told, told } from "../told.ts";
import type { ToolResult } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { LEGACY_TOOLS } from "./all.ts";
import type { LegacyAnswer, LegacyCall, LegacyTool } from "./declare.ts";
import { warningOf } from "./warnings.ts";

/** Tools of the existing product go by either prefix. */
const PREFIX = /^(?:caura|memclaw)_/;

/** The older tool of a name; undefined for one that none has. */
export const legacyNamed = (name: string): LegacyTool | undefined =>
  PREFIX.test(name) ? LEGACY_TOOLS.find((one) => one.name === name.replace(PREFIX, "caura_")) : undefined;

/** Runs an older tool and answers as the existing product does: one text with the JSON and the time that it took. */
export async function callLegacy(
  exchange: Exchange,
  tool: LegacyTool,
  given: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  try {
    const sent = meantBy(tool, given);
    const parsed = tool.input.safeParse(sent, { reportInput: true });
    if (!parsed.success) throw new ToolError("INVALID_ARGUMENTS", faultsOf(tool, parsed.error));
    const answer = withIgnored(
      await tool.run(await legacyCall(exchange, tool.saves(parsed.data)), parsed.data),
      ignoredIn(tool, sent),
    );
    const said =
      answer instanceof Told
        ? Told.lines([answer, told`_latency_ms: ${took()}`])
        : Told.json({ ...answer, _latency_ms: took() });
    return { content: [{ type: "text", text: said.text }] };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { code, message, details } = error;
    const shown = Object.keys(details).length > 0 ? { code, message, details } : { code, message };
    const { text } = Told.json({ error: shown, _latency_ms: took() });
    return { content: [{ type: "text", text }], isError: true };
  }
}

/** Arguments that the tool does not have. Its clients send some, so they are told of and never refused. */
function ignoredIn({ input }: LegacyTool, sent: Readonly<Record<string, unknown>>): string[] {
  const known = Object.keys(input.shape);
  const unknown = Object.keys(sent).filter((name) => !known.includes(name));
  return firstOf(unknown, (name) => {
    const near = nearestWord(name, known);
    return `Argument '${preview(name, 60)}' is unknown and was ignored${near === null ? "" : `: did you mean '${near}'?`}`;
  });
}

function withIgnored(answer: LegacyAnswer, ignored: readonly string[]): LegacyAnswer {
  if (ignored.length === 0) return answer;
  if (answer instanceof Told) return Told.lines([answer, ...ignored.map((one) => told`${one}`)]);
  return { ...answer, warning: warningOf([answer.warning, ...ignored]) };
}

/** Who acts where nobody is named. */
const DEFAULT_AGENT = "mcp-agent";

async function legacyCall(exchange: Exchange, saves: boolean): Promise<LegacyCall> {
  const { caller } = exchange;
  const { ask, scope } = await toolCall(exchange, {}, saves);
  return {
    ask,
    askList: async (operation, input) => {
      const called = await caller.invoke(operation, input);
      if (called.status >= 400) throw refusalIn(called);
      const next = called.headers.get("x-next-offset");
      return {
        items: z.array(z.unknown()).parse(called.body),
        truncated: called.headers.get("x-truncated") === "true",
        next_offset: next === null ? null : Number(next),
      };
    },
    agent: (named) => {
      if (named !== undefined && named !== DEFAULT_AGENT) return named;
      if (caller.agent_id !== null) return caller.agent_id;
      if (!caller.via_gateway) return DEFAULT_AGENT;
      throw new ToolError(
        "MISSING_AGENT_ID",
        "This credential is a whole tenant's: name the agent that acts in agent_id.",
      );
    },
    get fleet() {
      return projectIdOf(scope.place) ?? undefined;
    },
    missing_rules: missingRules(scope),
    trust: caller.trust,
  };
}
