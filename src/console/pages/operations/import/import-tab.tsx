import { Copyable } from "../../../kit/controls.tsx";
import { Panel } from "../../../kit/layout.tsx";
import { ExportPanel } from "./export-panel.tsx";
import { ImportPanel } from "./import-panel.tsx";

/** Brings in what another Cairn exported, and takes out what is here. */
export const ImportTab = () => (
  <>
    <ImportPanel />
    <ExportPanel />
    <Panel title="Other formats">
      <p class="dim">
        Notes, and what other tools keep or export, are read by the command; it tells which format it found, and stores
        nothing with <code>--dry-run</code>.
      </p>
      <div class="stack">
        {OTHERS.map(([words, command]) => (
          <div key={command}>
            <h3>{words}</h3>
            <Copyable text={command} />
          </div>
        ))}
      </div>
    </Panel>
  </>
);

const OTHERS = [
  ["A folder of notes in Markdown or text, or an export as Markdown", "cairn import notes/ --dry-run"],
  [
    "Files that agents read: CLAUDE.md, AGENTS.md, .cursorrules and their like",
    "cairn import . --from agent-files --dry-run",
  ],
  ["Claude: the archive of data, unpacked", "cairn import claude-export/ --from claude --dry-run"],
  ["ChatGPT: the archive of data, unpacked", "cairn import chatgpt-export/ --from chatgpt --dry-run"],
  ["mem0", "cairn import mem0.json --from mem0 --dry-run"],
  ["The memory server of MCP", "cairn import memory.json --from mcp-memory --dry-run"],
  ["Basic Memory", "cairn import basic-memory/ --from basic-memory --dry-run"],
  ["Letta", "cairn import agent.af --from letta --dry-run"],
  ["Engram", "cairn import engram.json --from engram --dry-run"],
  [
    "A server with this interface, by its address; its key in CAIRN_IMPORT_KEY",
    "cairn import ADDRESS --from caura --dry-run",
  ],
] as const;
