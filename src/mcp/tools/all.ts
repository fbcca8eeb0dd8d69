import type { ToolText } from "../../core/ports/mcp.ts";
import type { Tool } from "../tool.ts";
import { correct, forget } from "./change.ts";
import { documents, keystones } from "./knowledge.ts";
import { agents, audit, contradictions, entities, projects, status } from "./more.ts";
import { move } from "./move.ts";
import { get, list } from "./read.ts";
import { remember } from "./remember.ts";
import { recall, search } from "./search.ts";

/** What a client sees unless it asks for more: few, for a list of tools costs tokens in every conversation. */
export const DEFAULT_TOOLS: readonly Tool[] = [
  remember,
  search,
  recall,
  get,
  list,
  correct,
  forget,
  documents,
  keystones,
];

/** With `tools=all`. */
export const ALL_TOOLS: readonly Tool[] = [
  ...DEFAULT_TOOLS,
  status,
  projects,
  move,
  contradictions,
  entities,
  agents,
  audit,
];

/** What an agent is told of each. */
export const toolTexts = (): readonly ToolText[] =>
  ALL_TOOLS.map((one) => ({
    name: one.name,
    description: one.description,
    stm_only: !DEFAULT_TOOLS.includes(one),
  }));
