import { expect, test } from "bun:test";
import fc from "fast-check";
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { readJson } from "../../src/cli/setup/json-text.ts";
import { merge, partsIn, strip } from "../../src/cli/setup/merge.ts";
import type { ConfigPart, Spot } from "../../src/cli/setup/part.ts";
import { readToml } from "../../src/cli/setup/toml-text.ts";

const ENTRY = ["mcpServers", "cairn"];
const hook = (event: string, word: string): ConfigPart => ({
  kind: "item",
  path: ["hooks", event],
  value: { hooks: [{ type: "command", command: `/opt/cairn hook ${word} --harness claude`, timeout: 5 }] },
});
const PARTS: ConfigPart[] = [
  { kind: "entry", path: ENTRY, value: { command: "/opt/cairn", args: ["mcp"] } },
  hook("SessionStart", "session-start"),
  hook("UserPromptSubmit", "user-prompt"),
];
const SPOT: Spot = { format: "json", entries: [ENTRY], hooks: "hooks" };

const name = fc.oneof(
  fc.constantFrom("a", "docs", "server.one", "", "ü", 'q"uote', "SessionStart"),
  fc.string({ maxLength: 6 }),
);
const foreign = name.filter((word) => word !== "cairn" && word !== "__proto__");
const value = fc.jsonValue({ maxDepth: 3 }).filter((one) => !JSON.stringify(one).includes("__proto__"));
const members = fc.dictionary(foreign, value, { maxKeys: 4 });
const group = fc.record({
  matcher: fc.constantFrom("Bash", "*"),
  hooks: fc.array(fc.record({ command: fc.string() }), { maxLength: 2 }),
});
/** What others have in a file: servers, hooks, anything else. */
const others = fc.record(
  {
    mcpServers: members,
    hooks: fc.dictionary(fc.constantFrom("SessionStart", "Stop"), fc.array(group, { maxLength: 3 })),
    theme: value,
    last: members,
  },
  { requiredKeys: [] },
);

/** A text of the same meaning: any indentation, line ends, and comments after commas and braces. */
const layout = fc.record({
  indent: fc.constantFrom(undefined, 1, 2, 4, "\t"),
  crlf: fc.boolean(),
  comments: fc.boolean(),
  final: fc.boolean(),
});
type Layout = typeof layout extends fc.Arbitrary<infer T> ? T : never;
function textOf(root: unknown, { indent, crlf, comments, final }: Layout): string {
  const plain = `${JSON.stringify(root, null, indent)}${final ? "\n" : ""}`;
  const lines = plain
    .split("\n")
    .map((line, index) => (comments && indent && /[{,[]$/.test(line) ? `${line} // ${index} {"` : line));
  return lines.join(crlf ? "\r\n" : "\n");
}

test("whatever else is in a JSON file survives a set-up and its removal, to the comment", () => {
  fc.assert(
    fc.property(others, layout, (root, how) => {
      const before = textOf(root, how);
      const after = merge(before, SPOT, PARTS);
      expect(merge(after, SPOT, PARTS)).toBe(after);
      expect(partsIn(after, SPOT)).toEqual(PARTS);
      // Every line of others is there still, but for commas and for what was in one line.
      if (how.indent) {
        const lines = new Set(after.split(/\r?\n/).map((line) => line.replace(/,(?= \/\/|$)/, "").trim()));
        for (const line of before.split(/\r?\n/)) {
          const words = line.replace(/,(?= \/\/|$)/, "").trim();
          if (!/[{[][}\]](?: \/\/|$)/.test(words)) expect(lines).toContain(words);
        }
      }
      expect(readJson(strip(after, SPOT, before))).toEqual(readJson(before));
      const isRoomy = ["mcpServers", "hooks"].every((key) => Object.keys(Object(Reflect.get(root, key))).length > 0);
      const hasLists = ["SessionStart"].every((key) => (root.hooks?.[key as "SessionStart"]?.length ?? 1) > 0);
      // Nothing was empty, so nothing needs a backup to come back as it was.
      if (isRoomy && hasLists) expect(strip(after, SPOT, before)).toBe(before);
    }),
    { numRuns: 300 },
  );
});

const plain = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 }));
const table = fc.dictionary(foreign, fc.oneof(plain, fc.dictionary(foreign, plain, { maxKeys: 3 })), { maxKeys: 4 });

test("whatever else is in a TOML file survives a set-up and its removal", () => {
  const spot: Spot = { format: "toml", entries: [["mcp_servers", "cairn"]] };
  const parts: ConfigPart[] = [
    { kind: "entry", path: ["mcp_servers", "cairn"], value: { url: "http://127.0.0.1/mcp", http_headers: { a: "b" } } },
  ];
  const servers = fc.dictionary(foreign, fc.dictionary(foreign, plain, { maxKeys: 3 }), { maxKeys: 3 });
  fc.assert(
    fc.property(table, servers, fc.boolean(), (root, mcp_servers, crlf) => {
      const text = stringifyToml({ ...root, mcp_servers });
      const before = crlf ? text.replace(/(?<!\r)\n/g, "\r\n") : text;
      const after = merge(before, spot, parts);
      expect(merge(after, spot, parts)).toBe(after);
      expect(after).toStartWith(before);
      expect(readToml(strip(after, spot, before))).toEqual(parseToml(before));
      if (before.endsWith("\n")) expect(strip(after, spot, before)).toBe(before);
    }),
    { numRuns: 300 },
  );
});
