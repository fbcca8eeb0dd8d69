import type { FormatReader } from "../reader.ts";
import { basicMemory } from "./basic-memory.ts";
import { chatgpt } from "./chatgpt.ts";
import { claude } from "./claude.ts";
import { engram } from "./engram.ts";
import { letta } from "./letta.ts";
import { mcpMemory } from "./mcp-memory.ts";
import { mem0 } from "./mem0.ts";

/** Readers of what other tools write. Each knows its own: of no file do two of them say that it is theirs. */
export const foreignReaders: readonly FormatReader[] = [mem0, engram, basicMemory, claude, chatgpt, mcpMemory, letta];
