/** What is pasted somewhere to connect a client. */
interface Snippet {
  readonly title: string;
  readonly text: string;
}

interface Wiring {
  /** Where the server is, as this page reached it. */
  readonly origin: string;
  /** Whether calls need a key. */
  readonly keyed: boolean;
}

/** The variable that clients take their key from, as `cairn setup HARNESS --http` writes it. */
const KEY_VARIABLE = "CAIRN_KEY";
const KEY_WORD = "YOUR_KEY";
const json = (value: unknown): string => JSON.stringify(value, null, 2);
const mcpOf = ({ origin }: Wiring): string => `${origin}/mcp`;

const onThisMachine = (harness: string): Snippet => ({
  title: "On the server's machine: shows its changes first, then asks",
  text: `cairn setup ${harness}`,
});

/** Where a client substitutes a variable in headers, the key is told by the variable's name. */
const headersOf = ({ keyed }: Wiring): object =>
  keyed ? { headers: { Authorization: `Bearer \${env:${KEY_VARIABLE}}` } } : {};

function claude(wiring: Wiring): Snippet[] {
  const header = wiring.keyed ? ` --header "X-API-Key: ${KEY_WORD}"` : "";
  return [
    onThisMachine("claude"),
    { title: "From anywhere", text: `claude mcp add --transport http cairn ${mcpOf(wiring)}${header}` },
  ];
}

function codex(wiring: Wiring): Snippet[] {
  const lines = [
    "[mcp_servers.cairn]",
    `url = "${mcpOf(wiring)}"`,
    ...(wiring.keyed ? [`bearer_token_env_var = "${KEY_VARIABLE}"`] : []),
  ];
  return [onThisMachine("codex"), { title: "In ~/.codex/config.toml", text: lines.join("\n") }];
}

const cursor = (wiring: Wiring): Snippet[] => [
  onThisMachine("cursor"),
  {
    title: "In ~/.cursor/mcp.json",
    text: json({ mcpServers: { cairn: { url: mcpOf(wiring), ...headersOf(wiring) } } }),
  },
];

const vscode = (wiring: Wiring): Snippet[] => [
  onThisMachine("vscode"),
  {
    title: "In .vscode/mcp.json of a project, or by “MCP: Open User Configuration”",
    text: json({ servers: { cairn: { type: "http", url: mcpOf(wiring), ...headersOf(wiring) } } }),
  },
];

const others = (wiring: Wiring): Snippet[] => [
  {
    title: "Gemini CLI, OpenCode, Windsurf, Zed, OpenClaw, or all that are found, on the server's machine",
    text: ["gemini", "opencode", "windsurf", "zed", "openclaw", "all"].map((name) => `cairn setup ${name}`).join("\n"),
  },
  { title: "A client of MCP over HTTP (streamable)", text: mcpOf(wiring) },
  { title: "A client that starts its server itself", text: "cairn mcp" },
];

function curl({ origin, keyed }: Wiring): Snippet[] {
  const header = keyed ? ` -H 'x-api-key: ${KEY_WORD}'` : "";
  const post = (path: string, body: string) =>
    `curl -s ${origin}${path}${header} -H 'content-type: application/json' \\\n  -d '${body}'`;
  return [
    {
      title: "A first write",
      text: post("/api/v1/memories", '{"content":"Deploys go out every Tuesday after the standup."}'),
    },
    {
      title: "A search",
      text: post("/api/v1/search", '{"query":"when do we release?","top_k":3,"view":"compact"}'),
    },
  ];
}

/** What each client is told, by its tab. */
export const CLIENTS = [
  ["claude", "Claude Code", claude],
  ["codex", "Codex", codex],
  ["cursor", "Cursor", cursor],
  ["vscode", "VS Code", vscode],
  ["others", "Others", others],
  ["curl", "curl", curl],
] as const satisfies readonly (readonly [name: string, words: string, of: (wiring: Wiring) => Snippet[]])[];
