import type { Tool } from "../tool.ts";
import { correct, forget } from "./change.ts";
import { documents, keystones } from "./knowledge.ts";
import { agents, contradictions, entities, status } from "./more.ts";
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
export const ALL_TOOLS: readonly Tool[] = [...DEFAULT_TOOLS, status, contradictions, entities, agents];
