/** The formats that an import can be told to read: `auto` finds out, `caura` is for addresses. */
export const FORMAT_NAMES = [
  "auto",
  "jsonl",
  "cairn",
  "mem0",
  "engram",
  "basic-memory",
  "claude",
  "chatgpt",
  "mcp-memory",
  "letta",
  "agent-files",
  "markdown",
  "caura",
] as const;
