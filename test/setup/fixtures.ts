import type { EntryPlace } from "../../src/cli/setup/harness.ts";

/** Files of a harness as they may lie there before a set-up; null for no file. */
export type FixtureName = "none" | "blank" | "empty" | "full" | "commented" | "compact" | "broken";

const FULL_TOML = `# How Codex works here
model = "gpt-5.6"   # the usual one
notify = ["notify-send", "Codex"]

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-server"]

[mcp_servers.docs.env]
TOKEN = "t"

[profiles.fast]
model = "mini"
`;

const COMMENTED_TOML = `#:schema config.json
# [mcp_servers.cairn] was here once
prompt = """
[mcp_servers.cairn]
command = "not a table"
"""
[mcp_servers] # all of them

# the last line says nothing
`;

/** The text of one fixture for the place where a harness keeps its servers. */
export function fixtureFor({ format, path }: Pick<EntryPlace, "format" | "path">, name: FixtureName): string | null {
  if (name === "none") return null;
  if (name === "blank") return "";
  if (format === "toml") {
    const texts = {
      empty: "\n",
      full: FULL_TOML,
      commented: COMMENTED_TOML,
      compact: 'model="x"',
      broken: "model = \n[mcp_servers",
    };
    return texts[name];
  }
  const containers = path.slice(0, -1);
  const other = { docs: { command: "npx", args: ["-y", "docs-server"], env: { TOKEN: "t" } } };
  const root = containers.reduceRight<unknown>((inner, key) => ({ [key]: inner }), other);
  switch (name) {
    case "empty":
      return "{}\n";
    case "full":
      return `${JSON.stringify({ theme: "dark", ...Object(root), projects: { "/work": { seen: [1, 2] } } }, null, 4)}\n`;
    case "commented":
      return commented(containers);
    case "compact":
      return JSON.stringify({ theme: "dark", ...Object(root) });
    case "broken":
      return '{\n  "theme": "dark"\n  "projects": {}\n}\n';
    default:
      return name satisfies never;
  }
}

/** With comments in every place, tabs, and a trailing comma. */
function commented(containers: readonly string[]): string {
  const open = containers.map((name, depth) => `${"\t".repeat(depth + 1)}"${name}": { // ${name}\n`).join("");
  const close = containers.map((_, depth) => `${"\t".repeat(containers.length - depth)}},\n`).join("");
  const lead = "\t".repeat(containers.length + 1);
  return [
    "// settings of mine\n{\n",
    '\t"theme": "dark", /* for the night */\n',
    open,
    `${lead}"docs": { "command": "npx" } // keep this\n`,
    `${lead}// and this\n`,
    close,
    "}\n// the end",
  ].join("");
}
